import { Config, Context, Effect, Layer, type Redacted } from "effect"
import { readSettings, secret } from "./settings.ts"

/** The settings that every process has. Read once at boot; no other file reads the environment. */
export class ServiceConfig extends Context.Service<
  ServiceConfig,
  {
    readonly name: string
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
            port: Config.Port("PORT").pipe(Config.withDefault(defaultPort)),
            environment: Config.String("NODE_ENV").pipe(Config.withDefault("development")),
            otlpEndpoint: Config.String("OTEL_EXPORTER_OTLP_ENDPOINT").pipe(Config.withDefault(""))
          })
        )
        return ServiceConfig.of({
          name,
          port: settings.port,
          isProduction: settings.environment === "production",
          internalSecret: yield* secret("INTERNAL_SECRET", "a long random text, the same for all processes"),
          otlpEndpoint: settings.otlpEndpoint === "" ? undefined : settings.otlpEndpoint
        })
      })
    )
}
