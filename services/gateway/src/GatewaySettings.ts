import { peers, type ServiceName } from "@care/domain/peers"
import { countSetting, peerUrl, readSettings, secret } from "@care/service-kit"
import { Config, Context, Effect, Layer, Record, type Redacted } from "effect"
import { type CallerLimits, callerLimits } from "./limits/CallerLimits.ts"
import { rateLimitRules } from "./routing/routes.ts"

/** The gateway's own settings: the operator's token, where the services are, and what callers may take up. */
export class GatewaySettings extends Context.Service<
  GatewaySettings,
  {
    readonly adminToken: Redacted.Redacted
    readonly services: Readonly<Record<ServiceName, string>>
    readonly limits: CallerLimits
    /** Requests per window, by the name of the rule. */
    readonly requestsPerWindow: ReadonlyMap<string, number>
  }
>()("@care/gateway/GatewaySettings") {
  static readonly layer = Layer.effect(
    GatewaySettings,
    Effect.gen(function* () {
      const services = yield* readSettings(Config.all(Record.map(peers, (_, name) => peerUrl(name))))
      const adminToken = yield* secret("ADMIN_TOKEN", "a long random text, the operator's password for the admin API")
      const requestsPerWindow = new Map<string, number>()
      for (const { name, requests } of rateLimitRules) {
        const setting = countSetting(`RATE_LIMIT_${name}`).pipe(Config.withDefault(requests))
        requestsPerWindow.set(name, yield* readSettings(setting))
      }
      return GatewaySettings.of({ adminToken, services, limits: yield* callerLimits, requestsPerWindow })
    })
  )
}
