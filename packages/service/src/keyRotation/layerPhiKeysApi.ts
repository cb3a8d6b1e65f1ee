import type { ServiceName } from "@care/domain/peers"
import { ownPhiKeysApi } from "@care/domain/phiKeys"
import type { SealedTable } from "@care/phi"
import { makePhiKeys } from "@care/phi"
import { Effect, Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { ownSealedTables } from "./ownSealedTables.ts"

/** Answers the gateway's calls about the keys of `PHI_KEY`. `tables` are the service's own, in addition to those of every service. */
export const layerPhiKeysApi = (service: ServiceName, tables: ReadonlyArray<SealedTable>) => {
  const api = ownPhiKeysApi(service)
  const handlers = HttpApiBuilder.group(
    api,
    "ownPhiKeys",
    Effect.fnUntraced(function* (handlers) {
      const keys = yield* makePhiKeys([...ownSealedTables, ...tables])
      return handlers.handleAll({
        list: ({ query }) => keys.list(query.from, query.limit),
        rotate: ({ payload }) => keys.rotate(payload.from)
      })
    })
  )
  return HttpApiBuilder.layer(api).pipe(Layer.provide(handlers))
}
