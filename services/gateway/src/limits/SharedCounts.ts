import { BootError, makeCircuitBreaker } from "@care/service-kit"
import { createClient } from "@redis/client"
import { Clock, Data, Duration, Effect, Metric, Redacted, Schema } from "effect"
import type { SharedRedis } from "../GatewaySettings.ts"

/** What all gateways together have counted in a window, and for how many milliseconds it goes on. */
export interface SharedCount {
  readonly used: number
  readonly millisLeft: number
}

/** Redis did not count: it is away, slow, or refuses. `reason` quotes nothing of it, least of all its URL. */
class NotCounted extends Data.TaggedError("NotCounted")<{ readonly reason: string }> {}

// One statement to all that count at once: of two first requests one begins the window. A count never stays without an end.
const countScript = `
local used = redis.call("INCR", KEYS[1])
local left = redis.call("PTTL", KEYS[1])
if left < 0 then
  left = tonumber(ARGV[1])
  redis.call("PEXPIRE", KEYS[1], left)
end
return { used, left }
`

const isReply = Schema.is(Schema.Tuple([Schema.Int, Schema.Int]))

const countedAlone = Metric.counter("rate_limits_counted_alone_total", {
  description: "Requests that this gateway counted by itself, because Redis did not",
  incremental: true
})

const tellEveryMillis = 60_000

// An answer that has come, but was not read because this process was busy, came in time.
const onceMoreRead = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))

// A code of the system's or of Redis's own (ECONNREFUSED, WRONGPASS), or else what kind of error it is.
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return "unknown"
  if ("code" in error && typeof error.code === "string") return error.code
  return /^[A-Z]{2,}\b/.exec(error.message)?.[0] ?? error.constructor.name
}

const makeClient = (url: string) =>
  Effect.acquireRelease(
    Effect.try({
      try: () =>
        createClient({
          url,
          RESP: 2,
          // Nobody waits for a connection, and nothing is counted after the fact.
          disableOfflineQueue: true,
          // A connection over which nothing comes back is given up for another.
          pingInterval: 1000,
          socket: {
            connectTimeout: 2000,
            socketTimeout: 5000,
            reconnectStrategy: (retries) => Math.min(50 * 2 ** Math.min(retries, 10), 1000)
          }
        }),
      catch: () => new BootError({ message: "REDIS_URL has to be a URL such as redis://user:password@host:6379." })
    }),
    (client) => Effect.sync(() => client.destroy())
  )

/**
 * Counts in a Redis that all gateways share. A request that it does not count, because it is away, slow or broken, waits for it
 * no longer than the time limit, and after three of these in a row none does until one a second is answered again.
 */
export const makeSharedCounts = Effect.fnUntraced(function* ({ timeLimit, url }: SharedRedis) {
  const client = yield* makeClient(Redacted.value(url))
  const runFork = Effect.runForkWith(yield* Effect.context<never>())
  const guarded = makeCircuitBreaker<NotCounted>({
    failures: 3,
    openMillis: 1000,
    refused: () => new NotCounted({ reason: "waiting to try again" }),
    isAway: () => true
  })
  let isAway = false
  let toldAt = Number.NEGATIVE_INFINITY

  const away = ({ reason }: NotCounted) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      if (isAway && now - toldAt < tellEveryMillis) return Effect.void
      isAway = true
      toldAt = now
      return Effect.annotateLogs(
        Effect.logWarning("Redis does not count requests: this gateway holds its callers to the rate limits by itself"),
        { reason }
      )
    })

  const back = Effect.suspend(() => {
    if (!isAway) return Effect.void
    isAway = false
    return Effect.logInfo("Redis counts requests again: the rate limits are those of all gateways together")
  })

  client.on("error", (error) => {
    runFork(away(new NotCounted({ reason: reasonOf(error) })))
  })
  // It ends when the client is closed; until then it connects again and again.
  client.connect().catch(() => {})

  const ask = (key: string, windowMillis: number) =>
    Effect.tryPromise({
      try: () => client.eval(countScript, { keys: [key], arguments: [String(windowMillis)] }),
      catch: (error) => new NotCounted({ reason: reasonOf(error) })
    }).pipe(
      Effect.flatMap((reply) =>
        isReply(reply)
          ? Effect.succeed<SharedCount>({ used: reply[0], millisLeft: reply[1] })
          : Effect.fail(new NotCounted({ reason: "no count" }))
      )
    )

  const tooSlow = Effect.sleep(timeLimit).pipe(
    Effect.andThen(onceMoreRead),
    Effect.andThen(Effect.fail(new NotCounted({ reason: `no answer within ${Duration.format(timeLimit)}` })))
  )

  return {
    /** Counts a request under a key in a window that begins with its first one; undefined when Redis did not count it. */
    count: (key: string, windowMillis: number): Effect.Effect<SharedCount | undefined> =>
      guarded(Effect.raceFirst(ask(key, windowMillis), tooSlow)).pipe(
        Effect.tap(back),
        Effect.catch((failure) => Effect.as(Effect.andThen(away(failure), Metric.update(countedAlone, 1)), undefined))
      )
  }
})
