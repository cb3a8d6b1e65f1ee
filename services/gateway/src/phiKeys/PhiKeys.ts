import { peers } from "@care/domain/peers"
import { ownPhiKeysApi, type PhiKey, type RotationPosition, type RotationStep } from "@care/domain/phiKeys"
import { peer } from "@care/service-kit"
import { Context, Effect, Layer, Record } from "effect"

/** The keys of `PHI_KEY` in all services, each of which knows what they seal there. */
export class PhiKeys extends Context.Service<
  PhiKeys,
  {
    readonly list: Effect.Effect<ReadonlyArray<PhiKey>>
    /** A step of the rotation in each service that is not done; from the beginning in all without a position. */
    readonly rotate: (from: RotationPosition | undefined) => Effect.Effect<RotationStep>
  }
>()("@care/gateway/phiKeys/PhiKeys") {
  static readonly layer = Layer.effect(
    PhiKeys,
    Effect.gen(function* () {
      const owners = yield* Effect.forEach(Record.keys(peers), (service) =>
        Effect.map(peer(ownPhiKeysApi(service), "ownPhiKeys"), (client) => ({ client, service }))
      )

      const list = Effect.forEach(
        owners,
        ({ client, service }) => Effect.map(client.list(), (keys) => keys.map((key): PhiKey => ({ service, ...key }))),
        { concurrency: "unbounded" }
      )

      const rotate = Effect.fn("PhiKeys.rotate")(function* (from: RotationPosition | undefined) {
        const left = owners.filter(({ service }) => from === undefined || from[service] !== undefined)
        const steps = yield* Effect.forEach(
          left,
          ({ client, service }) =>
            Effect.map(client.rotate({ payload: { from: from?.[service] ?? null } }), (step) => ({ service, ...step })),
          { concurrency: "unbounded" }
        )
        const next = steps.flatMap(({ next, service }) => (next === null ? [] : [[service, next] as const]))
        const position: RotationPosition = Object.fromEntries(next)
        const sum = (count: "checked" | "rotated") => steps.reduce((total, step) => total + step[count], 0)
        return { checked: sum("checked"), rotated: sum("rotated"), next: next.length === 0 ? null : position }
      })

      return PhiKeys.of({
        list: Effect.orDie(Effect.map(list, (keys) => keys.flat())),
        rotate: (from) => Effect.orDie(rotate(from))
      })
    })
  )
}
