import type { ServiceName } from "@care/domain/peers"
import { ownUsageApi } from "@care/domain/usage"
import { Effect, Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Quotas } from "./Quotas.ts"

/** Answers the gateway's calls about the quotas of a service. */
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
