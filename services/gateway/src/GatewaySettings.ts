import type { ServiceName } from "@care/domain"
import { readSettings, secret, urlSetting } from "@care/service-kit"
import { Config, Context, Effect, Layer, type Redacted } from "effect"

/** The gateway's own settings: the operator's token and where the services are. */
export class GatewaySettings extends Context.Service<
  GatewaySettings,
  { readonly adminToken: Redacted.Redacted; readonly services: Readonly<Record<ServiceName, string>> }
>()("@care/gateway/GatewaySettings") {
  static readonly layer = Layer.effect(
    GatewaySettings,
    Effect.gen(function* () {
      const services = yield* readSettings(
        Config.all({
          auth: urlSetting("AUTH_URL").pipe(Config.withDefault("http://127.0.0.1:8081")),
          cases: urlSetting("CASES_URL").pipe(Config.withDefault("http://127.0.0.1:8082")),
          payments: urlSetting("PAYMENTS_URL").pipe(Config.withDefault("http://127.0.0.1:8083")),
          scheduling: urlSetting("SCHEDULING_URL").pipe(Config.withDefault("http://127.0.0.1:8084"))
        })
      )
      const adminToken = yield* secret("ADMIN_TOKEN", "a long random text, the operator's password for the admin API")
      return GatewaySettings.of({ adminToken, services })
    })
  )
}
