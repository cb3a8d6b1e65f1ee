import { countSetting, durationSetting, networksSetting, readSettings } from "@care/service-kit"
import { Config, Duration, type Effect } from "effect"
import { mebibyte } from "./mebibyte.ts"

const milliseconds = (name: string, normally: Duration.Input) =>
  durationSetting(name).pipe(Config.withDefault(Duration.fromInputUnsafe(normally)), Config.map(Duration.toMillis))

/** What callers may take up of the gateway. Times in milliseconds. */
export const callerLimits = readSettings(
  Config.all({
    /** Connections at a time. */
    connections: countSetting("MAX_CONNECTIONS").pipe(Config.withDefault(4096)),
    /** Requests of one organization that are answered at a time, at one service. */
    requestsAtOnce: countSetting("REQUESTS_AT_ONCE").pipe(Config.withDefault(64)),
    /** Within which a whole request has to be received. */
    requestMillis: milliseconds("REQUEST_TIME_LIMIT", "30 seconds"),
    /** After which a body has to have come at `bytesPerSecond`. */
    graceMillis: milliseconds("BODY_GRACE", "5 seconds"),
    bytesPerSecond: countSetting("BODY_MIN_RATE").pipe(Config.withDefault(1024)),
    /** For all bodies that are held at a time. */
    bodyMemoryBytes: countSetting("BODY_MEMORY_MIB").pipe(
      Config.withDefault(128),
      Config.map((mebibytes) => mebibytes * mebibyte)
    ),
    /** After which a connection is closed on which nothing moves. */
    idleMillis: milliseconds("IDLE_TIME_LIMIT", "5 minutes"),
    /** The proxies whose `X-Forwarded-For` says where a request comes from. */
    trustedProxies: networksSetting("TRUSTED_PROXIES").pipe(Config.withDefault([]))
  })
)

export type CallerLimits = Effect.Success<typeof callerLimits>
