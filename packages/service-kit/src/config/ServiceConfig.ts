import { isIP } from "node:net"
import { Config, Context, Effect, Layer } from "effect"
import { ownSecrets, type SecretList, secretSetting } from "./secrets.ts"
import {
  documented,
  isProductionSetting,
  optionalSetting,
  portSetting,
  readSettings,
  setting,
  textSetting,
  urlSetting
} from "./settings.ts"

const internalSecret = secretSetting(
  "INTERNAL_SECRET",
  "a long random text, the same for all processes, or several separated by commas",
  "one or more secrets, separated by commas, each at least 32 characters long in production. The first signs the identity tokens of internal calls and the links to documents, and all verify them"
)

const portOf = (defaultPort: number) =>
  documented(portSetting("PORT").pipe(Config.withDefault(defaultPort)), {
    name: "PORT",
    byDefault: "8080; a service alone: 8081-8084",
    meaning:
      "the port that the process listens on. Under `start` the gateway's; the ports of the other processes follow from it"
  })

/** The address that a process listens on. */
export const hostSetting = setting(
  (name) =>
    textSetting(
      name,
      "an IP address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them",
      (text) => isIP(text) > 0
    ),
  "HOST",
  "127.0.0.1",
  "the address that the process listens on; `0.0.0.0` or `::` for all. Under `start` the gateway's; the others listen on `127.0.0.1`"
)

const otlpEndpoint = optionalSetting(
  urlSetting,
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  "the URL that receives traces (OTLP over HTTP). Without it, no traces are created"
)

/** The settings that every process has. */
export const processSettings = [portOf(0), hostSetting, isProductionSetting, internalSecret, otlpEndpoint]

/** The settings that every process has. Read once at boot; no other file reads the environment. */
export class ServiceConfig extends Context.Service<
  ServiceConfig,
  {
    readonly name: string
    readonly host: string
    readonly port: number
    readonly isProduction: boolean
    readonly internalSecrets: SecretList
    readonly otlpEndpoint: string | undefined
  }
>()("@care/service-kit/config/ServiceConfig") {
  static readonly layer = (name: string, defaultPort: number) =>
    Layer.effect(
      ServiceConfig,
      Effect.gen(function* () {
        const settings = yield* readSettings(
          Config.all({
            host: hostSetting,
            port: portOf(defaultPort),
            isProduction: isProductionSetting,
            otlpEndpoint
          })
        )
        return ServiceConfig.of({
          ...settings,
          name,
          internalSecrets: yield* ownSecrets(internalSecret)
        })
      })
    )
}
