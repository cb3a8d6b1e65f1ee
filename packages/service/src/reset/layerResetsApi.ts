import { TestKeyNeeded } from "@care/domain/http"
import type { ServiceName } from "@care/domain/peers"
import { ownResetsApi } from "@care/domain/testClocks"
import { Time } from "@care/service-kit"
import { Effect, Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import type { KeptTables } from "./KeptTables.ts"
import { makeOwnReset } from "./makeOwnReset.ts"

const sandbox = Effect.flatMap(Time.TestOrganization, (test) =>
  test === undefined ? Effect.die(new TestKeyNeeded()) : Effect.succeed(test.organizationId)
)

/** Resets the sandbox in a service for which the caller works. */
export const layerResetsApi = (service: ServiceName, keptTables: KeptTables) => {
  const api = ownResetsApi(service)
  const handlers = HttpApiBuilder.group(
    api,
    "ownResets",
    Effect.fnUntraced(function* (handlers) {
      const { clear, close, open } = yield* makeOwnReset(keptTables)
      return handlers.handleAll({
        close: ({ payload }) =>
          Effect.as(
            Effect.flatMap(sandbox, (id) => close(id, payload.resets)),
            {}
          ),
        clear: ({ payload }) =>
          Effect.map(
            Effect.flatMap(sandbox, (id) => clear(id, payload.resets)),
            (changed) => ({ changed })
          ),
        open: ({ payload }) =>
          Effect.as(
            Effect.flatMap(sandbox, (id) => open(id, payload.resets)),
            {}
          )
      })
    })
  )
  return HttpApiBuilder.layer(api).pipe(Layer.provide(handlers))
}
