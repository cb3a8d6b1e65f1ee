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
    "connections to the gateway; one address may have as many as are left for others"
  ),
  requestsAtOnce: setting(
    countSetting,
    "REQUESTS_AT_ONCE",
    64,
    "requests of one organization that one service answers at a time, never more than are left for others; four times as many wait up to 2 seconds (429 beyond)"
  ),
  requestTime: setting(
    durationSetting,
    "REQUEST_TIME_LIMIT",
    Duration.seconds(30),
    "within which a whole request has to be received (408)"
  ),
  grace: setting(
    durationSetting,
    "BODY_GRACE",
    Duration.seconds(5),
    "after which a body has to have come at `BODY_MIN_RATE`"
  ),
  bytesPerSecond: setting(countSetting, "BODY_MIN_RATE", 1024, "bytes a second that a body has to come at (408)"),
  bodyMemory: setting(
    countSetting,
    "BODY_MEMORY_MIB",
    128,
    "memory of the gateway for the bodies of all requests (503 beyond)"
  ),
  idleTime: setting(
    durationSetting,
    "IDLE_TIME_LIMIT",
    Duration.minutes(5),
    "after which a connection is closed on which nothing moves, such as an answer that nobody reads"
  ),
  trustedProxies: setting(
    networksSetting,
    "TRUSTED_PROXIES",
    [],
    "the proxies before the gateway, addresses or networks (`10.0.0.0/8,192.0.2.7`): their `X-Forwarded-For` says which address a request comes from, the last one in it that is none of them"
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
