import type { ServiceName } from "@care/domain/peers"
import { ownUsageApi } from "@care/domain/usage"
import { Effect, Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Quotas } from "./Quotas.ts"

/** What the gateway asks a service about what organizations store in it. */
export const layerUsageApi = (service: ServiceName) => {
  const api = ownUsageApi(service)
  const handlers = HttpApiBuilder.group(
    api,
    "ownUsage",
    Effect.fnUntraced(function* (handlers) {
      const quotas = yield* Quotas
      return handlers.handleAll({
        reached: () => quotas.reached,
        of: ({ params }) => quotas.of(params.organizationId)
      })
    })
  )
  return HttpApiBuilder.layer(api).pipe(Layer.provide(handlers))
}
