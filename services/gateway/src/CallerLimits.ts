import { countSetting, durationSetting, readSettings, setting, textSetting } from "@care/service-kit"
import { Config, Duration, Effect } from "effect"
import { networkOf } from "./clientAddress.ts"
import { mebibyte } from "./mebibyte.ts"

const networksIn = (text: string) => text.split(",").map((entry) => networkOf(entry.trim()))

const networksSetting = (name: string) =>
  textSetting(
    name,
    "a list of IP addresses and networks, such as 10.0.0.0/8,192.0.2.7, separated by commas",
    (text) => !networksIn(text).includes(undefined)
  ).pipe(Config.map((text) => networksIn(text).filter((network) => network !== undefined)))

export const callerLimitSettings = {
  connections: setting(
    countSetting,
    "MAX_CONNECTIONS",
    4096,
    "the most connections to the gateway. One address can have at most as many as are left for all others"
  ),
  requestsAtOnce: setting(
    countSetting,
    "REQUESTS_AT_ONCE",
    64,
    "the most requests of an organization that a service handles at a time, and never more than are left for others. Four times as many wait up to 2 seconds; more are refused with 429"
  ),
  requestTime: setting(
    durationSetting,
    "REQUEST_TIME_LIMIT",
    Duration.seconds(30),
    "the longest time to receive a whole request; a slower one is refused with 408"
  ),
  grace: setting(
    durationSetting,
    "BODY_GRACE",
    Duration.seconds(5),
    "how long a body may be slower than `BODY_MIN_RATE` after its start"
  ),
  bytesPerSecond: setting(
    countSetting,
    "BODY_MIN_RATE",
    1024,
    "the lowest average rate at which a body is received, in bytes per second; a slower request is refused with 408"
  ),
  bodyMemory: setting(
    countSetting,
    "BODY_MEMORY_MIB",
    128,
    "the most memory for the bodies of all requests, in MiB; further requests are refused with 503"
  ),
  idleTime: setting(
    durationSetting,
    "IDLE_TIME_LIMIT",
    Duration.minutes(5),
    "how long a connection may transfer no data, in either direction, before it is closed"
  ),
  trustedProxies: setting(
    networksSetting,
    "TRUSTED_PROXIES",
    [],
    "the addresses or networks of the proxies before the gateway (`10.0.0.0/8,192.0.2.7`). The client's address is the last one in their `X-Forwarded-For` that is not a trusted proxy"
  )
}

/** The limits on what callers may use of the gateway. Times are in milliseconds. */
export const callerLimits = Effect.map(
  readSettings(Config.all(callerLimitSettings)),
  ({ bodyMemory, grace, idleTime, requestTime, ...limits }) => ({
    ...limits,
    requestMillis: Duration.toMillis(requestTime),
    graceMillis: Duration.toMillis(grace),
    bodyMemoryBytes: bodyMemory * mebibyte,
    idleMillis: Duration.toMillis(idleTime)
  })
)

export type CallerLimits = Effect.Success<typeof callerLimits>
