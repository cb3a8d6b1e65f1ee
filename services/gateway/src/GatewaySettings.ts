import { isAbsolute } from "node:path"
import { rateLimits } from "@care/domain/http"
import { peers, type ServiceName } from "@care/domain/peers"
import {
  durationSetting,
  longSecretList,
  optionalSecret,
  optionalSetting,
  ownSecretsOrOff,
  peerUrl,
  rateLimitSetting,
  readSettings,
  secretSetting,
  secretUrl,
  setting,
  textSetting
} from "@care/service-kit"
import { Config, Context, Duration, Effect, Layer, Option, Record, type Redacted } from "effect"
import { type CallerLimits, callerLimitSettings, callerLimits } from "./CallerLimits.ts"
import { type CellSettings, cellsSetting, otherCells } from "./cellsSetting.ts"

/** The Redis that several gateways share for their counts. */
export interface SharedRedis {
  readonly url: Redacted.Redacted
  /** How long a request waits for Redis. */
  readonly timeLimit: Duration.Duration
}

const redisSettings = {
  url: optionalSecret(
    secretUrl(/^rediss?:$/, "redis://user:password@host:6379"),
    "REDIS_URL",
    "the Redis in which several gateways share the counts of the rate limits: `redis://user:password@host:6379`, or `rediss:` for TLS"
  ),
  timeLimit: setting(
    durationSetting,
    "REDIS_TIME_LIMIT",
    Duration.millis(5),
    "how long a request waits for Redis. After that, the gateway uses its own count"
  )
}

const adminTokenSetting = secretSetting(
  "ADMIN_TOKEN",
  "a long random text, the operator's password for the admin API, or several separated by commas",
  "one or more bearer tokens of the operator's machines for `/admin/v1` and for `/metrics` of the gateway, separated by commas, each at least 32 characters long in production. All are accepted; `care` sends the first. `off`: there is none, and signed-in staff alone use the admin API"
)

const metricsTokenSetting = optionalSecret(
  longSecretList,
  "METRICS_TOKEN",
  "bearer tokens for `/metrics` of the gateway alone, separated by commas, each at least 32 characters long"
)

const consoleDirectorySetting = optionalSetting(
  (name) => textSetting(name, "an absolute path", isAbsolute),
  "CONSOLE_DIR",
  "the folder of the built console of the care team, which `/console` shows. `start` builds one in `services/console/dist`"
)

const docsDirectorySetting = optionalSetting(
  (name) => textSetting(name, "an absolute path", isAbsolute),
  "DOCS_DIR",
  "the folder of the built documentation, which `/docs` shows. `start` builds one in `packages/docs/dist`"
)

const demoFileSetting = optionalSetting(
  (name) => textSetting(name, "an absolute path", isAbsolute),
  "DOCS_DEMO",
  "the file with the demo key that `/docs` fills into its code for readers on this machine. Production has none"
)

export const gatewaySettings = [
  adminTokenSetting,
  metricsTokenSetting,
  consoleDirectorySetting,
  docsDirectorySetting,
  demoFileSetting,
  cellsSetting,
  ...Object.values(callerLimitSettings),
  ...Object.values(rateLimits).map(rateLimitSetting),
  ...Object.values(redisSettings)
]

const sharedRedis = readSettings(Config.all(redisSettings)).pipe(
  Effect.map(({ timeLimit, url }) =>
    Option.map(Option.fromUndefinedOr(url), (url): SharedRedis => ({ url, timeLimit }))
  )
)

/** The gateway's own settings: the operator's token, the cells, and the limits on callers. */
export class GatewaySettings extends Context.Service<
  GatewaySettings,
  {
    /** None if machines may not use the admin API. */
    readonly adminTokens: ReadonlyArray<Redacted.Redacted>
    /** The tokens of those who may read the gateway's metrics. */
    readonly metricsTokens: ReadonlyArray<Redacted.Redacted>
    /** The URLs of the services of the first cell. */
    readonly services: Readonly<Record<ServiceName, string>>
    readonly otherCells: ReadonlyArray<CellSettings>
    readonly limits: CallerLimits
    /** Requests per window, by the name of a rule. */
    readonly requestsPerWindow: ReadonlyMap<string, number>
    /** None when this gateway counts alone. */
    readonly redis: Option.Option<SharedRedis>
    /** Undefined if this gateway shows no console. */
    readonly consoleDirectory: string | undefined
    /** Undefined if this gateway shows no documentation. */
    readonly docsDirectory: string | undefined
    /** The file of the demo organization. Undefined if there is none. */
    readonly demoFile: string | undefined
  }
>()("@care/gateway/GatewaySettings") {
  static readonly layer = Layer.effect(
    GatewaySettings,
    Effect.gen(function* () {
      const services = yield* readSettings(Config.all(Record.map(peers, (_, name) => peerUrl(name))))
      const requestsPerWindow = new Map<string, number>()
      for (const rule of Object.values(rateLimits)) {
        requestsPerWindow.set(rule.name, yield* readSettings(rateLimitSetting(rule)))
      }
      const adminTokens = yield* ownSecretsOrOff(adminTokenSetting)
      return GatewaySettings.of({
        adminTokens,
        metricsTokens: [...adminTokens, ...((yield* readSettings(metricsTokenSetting)) ?? [])],
        services,
        otherCells: yield* otherCells,
        limits: yield* callerLimits,
        requestsPerWindow,
        redis: yield* sharedRedis,
        consoleDirectory: yield* readSettings(consoleDirectorySetting),
        docsDirectory: yield* readSettings(docsDirectorySetting),
        demoFile: yield* readSettings(demoFileSetting)
      })
    })
  )
}
