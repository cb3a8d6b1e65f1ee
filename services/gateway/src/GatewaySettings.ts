import { rateLimits } from "@care/domain/http"
import { peers, type ServiceName } from "@care/domain/peers"
import { countSetting, durationSetting, ownSecret, peerUrl, readSettings, redisUrlSetting } from "@care/service-kit"
import { Config, Context, Duration, Effect, Layer, Option, Record, type Redacted } from "effect"
import { type CallerLimits, callerLimits } from "./CallerLimits.ts"

/** The Redis in which several gateways count together. */
export interface SharedRedis {
  readonly url: Redacted.Redacted
  /** How long a request waits for it. */
  readonly timeLimit: Duration.Duration
}

const sharedRedis = readSettings(
  Config.all({
    url: Config.option(redisUrlSetting("REDIS_URL")),
    timeLimit: durationSetting("REDIS_TIME_LIMIT").pipe(Config.withDefault(Duration.millis(5)))
  })
).pipe(Effect.map(({ timeLimit, url }) => Option.map(url, (url): SharedRedis => ({ url, timeLimit }))))

/** The gateway's own settings: the operator's token, where the services are, and what callers may take up. */
export class GatewaySettings extends Context.Service<
  GatewaySettings,
  {
    readonly adminToken: Redacted.Redacted
    readonly services: Readonly<Record<ServiceName, string>>
    readonly limits: CallerLimits
    /** Requests per window by the name of a rule, where the environment says other than the rule. */
    readonly requestsPerWindow: ReadonlyMap<string, number>
    /** None when this gateway counts for itself. */
    readonly redis: Option.Option<SharedRedis>
  }
>()("@care/gateway/GatewaySettings") {
  static readonly layer = Layer.effect(
    GatewaySettings,
    Effect.gen(function* () {
      const services = yield* readSettings(Config.all(Record.map(peers, (_, name) => peerUrl(name))))
      const adminToken = yield* ownSecret(
        "ADMIN_TOKEN",
        "a long random text, the operator's password for the admin API"
      )
      const requestsPerWindow = new Map<string, number>()
      for (const { name } of Object.values(rateLimits)) {
        const given = yield* readSettings(Config.option(countSetting(`RATE_LIMIT_${name}`)))
        if (Option.isSome(given)) requestsPerWindow.set(name, given.value)
      }
      return GatewaySettings.of({
        adminToken,
        services,
        limits: yield* callerLimits,
        requestsPerWindow,
        redis: yield* sharedRedis
      })
    })
  )
}
