import type { Replica, Snapshot } from "@care/domain/http"
import { Effect, Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"

/**
 * Serves the endpoint to which the owner of a replica sends snapshots. `accept` is built once. It stores a snapshot and makes its
 * consequences in one transaction. It must be idempotent, because snapshots may come twice and in any order.
 */
export const layerAcceptor = <Id, S extends Snapshot, E, R>(
  { api }: Replica<Id, S>,
  accept: Effect.Effect<(snapshot: S) => Effect.Effect<void>, E, R>
) => {
  const handlers = HttpApiBuilder.group(
    api,
    "snapshots",
    Effect.fnUntraced(function* (handlers) {
      const acceptOne = yield* accept
      return handlers.handleAll({
        accept: ({ payload }) => Effect.forEach(payload.snapshots, acceptOne, { discard: true })
      })
    })
  )
  return HttpApiBuilder.layer(api).pipe(Layer.provide(handlers))
}
