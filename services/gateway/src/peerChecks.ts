import type { ReadinessChecks } from "@care/service-kit"
import { Effect, Record } from "effect"
import { HttpClient } from "effect/http"
import { GatewaySettings } from "./GatewaySettings.ts"

/** Readiness checks: one for each service, which is ready when it says so. */
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
    return Record.map(services, isReady)
  }
)
