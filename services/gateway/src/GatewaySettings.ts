import type { ServiceName } from "@care/domain"
import { readSettings, secret } from "@care/service-kit"
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
          auth: Config.String("AUTH_URL").pipe(Config.withDefault("http://127.0.0.1:8081")),
          cases: Config.String("CASES_URL").pipe(Config.withDefault("http://127.0.0.1:8082")),
          payments: Config.String("PAYMENTS_URL").pipe(Config.withDefault("http://127.0.0.1:8083")),
          scheduling: Config.String("SCHEDULING_URL").pipe(Config.withDefault("http://127.0.0.1:8084"))
        })
      )
      const adminToken = yield* secret("ADMIN_TOKEN", "a long random text, the operator's password for the admin API")
      return GatewaySettings.of({ adminToken, services })
    })
  )
}
