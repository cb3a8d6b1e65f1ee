import type { ServiceName } from "@care/domain/peers"
import { ownTestClocksApi } from "@care/domain/testClocks"
import { Effect, Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { makeOwnTestClock } from "./makeOwnTestClock.ts"

/** Answers how far the clocks of sandbox organizations are ahead in a service, and moves them. */
export const layerTestClocksApi = (service: ServiceName) => {
  const api = ownTestClocksApi(service)
  const handlers = HttpApiBuilder.group(
    api,
    "ownTestClocks",
    Effect.fnUntraced(function* (handlers) {
      const { look, set } = yield* makeOwnTestClock
      return handlers.handleAll({
        look: ({ params }) => look(params.organizationId),
        set: ({ params, payload }) => Effect.as(set(params.organizationId, payload.aheadMillis), {})
      })
    })
  )
  return HttpApiBuilder.layer(api).pipe(Layer.provide(handlers))
}
