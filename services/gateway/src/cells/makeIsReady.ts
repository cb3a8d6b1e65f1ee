import { callers } from "@care/domain/http"
import type { ServiceName } from "@care/domain/peers"
import { identityHeader } from "@care/service-kit"
import { Effect } from "effect"
import { HttpClient } from "effect/http"
import type { Cell } from "./Cells.ts"

// A service that is paused must not make the gateway's own answer late: probes wait a second by default.
const answerMillis = 750

/** Makes the function that returns whether a service of a cell reports that it is ready. */
export const makeIsReady = Effect.map(HttpClient.HttpClient, (client) => {
  const identity = callers.service.Identity.make({ service: "gateway" })
  // With a token, which shows whether the service accepts calls.
  return ({ services, tokens }: Cell, service: ServiceName): Effect.Effect<boolean> =>
    tokens.mint(identity).pipe(
      Effect.flatMap((token) =>
        client.get(`${services[service]}/health/ready`, { headers: { [identityHeader]: token } })
      ),
      Effect.timeout(answerMillis),
      Effect.map(({ status }) => status === 200),
      Effect.catchCause(() => Effect.succeed(false))
    )
})
