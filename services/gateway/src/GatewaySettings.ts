import { peers, type ServiceName } from "@care/domain/peers"
import { countSetting, peerUrl, readSettings, secret } from "@care/service-kit"
import { Config, Context, Effect, Layer, Option, Record, type Redacted } from "effect"
import { type CallerLimits, callerLimits } from "./limits/CallerLimits.ts"
import { rateLimitRules } from "./routing/routes.ts"

/** The gateway's own settings: the operator's token, where the services are, and what callers may take up. */
export class GatewaySettings extends Context.Service<
  GatewaySettings,
  {
    readonly adminToken: Redacted.Redacted
    readonly services: Readonly<Record<ServiceName, string>>
    readonly limits: CallerLimits
    /** Requests per window by the name of a rule, where the environment says other than the rule. */
    readonly requestsPerWindow: ReadonlyMap<string, number>
  }
>()("@care/gateway/GatewaySettings") {
  static readonly layer = Layer.effect(
    GatewaySettings,
    Effect.gen(function* () {
      const services = yield* readSettings(Config.all(Record.map(peers, (_, name) => peerUrl(name))))
      const adminToken = yield* secret("ADMIN_TOKEN", "a long random text, the operator's password for the admin API")
      const requestsPerWindow = new Map<string, number>()
      for (const { name } of rateLimitRules) {
        const given = yield* readSettings(Config.option(countSetting(`RATE_LIMIT_${name}`)))
        if (Option.isSome(given)) requestsPerWindow.set(name, given.value)
      }
      return GatewaySettings.of({ adminToken, services, limits: yield* callerLimits, requestsPerWindow })
    })
  )
}
