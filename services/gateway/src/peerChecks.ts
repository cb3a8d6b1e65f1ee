import type { ReadinessChecks } from "@care/service-kit"
import { Effect } from "effect"
import { HttpClient } from "effect/http"
import { GatewaySettings } from "./GatewaySettings.ts"

/** Readiness checks: each of the four services says that it is ready. */
export const peerChecks: Effect.Effect<ReadinessChecks, never, GatewaySettings | HttpClient.HttpClient> = Effect.gen(
  function* () {
    const { services } = yield* GatewaySettings
    const client = yield* HttpClient.HttpClient
    const isReady = (url: string) =>
      client.get(`${url}/health/ready`).pipe(
        Effect.timeout("2 seconds"),
        Effect.map(({ status }) => status === 200),
        Effect.catchCause(() => Effect.succeed(false))
      )
    return {
      auth: isReady(services.auth),
      cases: isReady(services.cases),
      payments: isReady(services.payments),
      scheduling: isReady(services.scheduling)
    }
  }
)
