import { Config, Context, Effect, Layer, Option, type Redacted } from "effect"
import { addressSetting, isProductionSetting, ownSecret, portSetting, readSettings, urlSetting } from "./settings.ts"

/** The settings that every process has. Read once at boot; no other file reads the environment. */
export class ServiceConfig extends Context.Service<
  ServiceConfig,
  {
    readonly name: string
    readonly host: string
    readonly port: number
    readonly isProduction: boolean
    /** Signs the identity tokens of internal calls. */
    readonly internalSecret: Redacted.Redacted
    readonly otlpEndpoint: string | undefined
  }
>()("@care/service-kit/config/ServiceConfig") {
  static readonly layer = (name: string, defaultPort: number) =>
    Layer.effect(
      ServiceConfig,
      Effect.gen(function* () {
        const settings = yield* readSettings(
          Config.all({
            host: addressSetting("HOST").pipe(Config.withDefault("127.0.0.1")),
            port: portSetting("PORT").pipe(Config.withDefault(defaultPort)),
            isProduction: isProductionSetting,
            otlpEndpoint: Config.option(urlSetting("OTEL_EXPORTER_OTLP_ENDPOINT"))
          })
        )
        return ServiceConfig.of({
          ...settings,
          name,
          internalSecret: yield* ownSecret("INTERNAL_SECRET", "a long random text, the same for all processes"),
          otlpEndpoint: Option.getOrUndefined(settings.otlpEndpoint)
        })
      })
    )
}
