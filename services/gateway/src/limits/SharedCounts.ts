import { BootError } from "@care/service-kit"
import { createClient } from "@redis/client"
import { Clock, Duration, Effect, Metric, Redacted, Schema } from "effect"
import type { SharedRedis } from "../GatewaySettings.ts"

/** A window of a rate limit: its key, its limit, and its length in milliseconds. */
export interface SharedWindow {
  readonly key: string
  readonly limit: number
  readonly millis: number
}

/** What all gateways counted in a window, and for how many milliseconds it lasts. */
export interface SharedCount {
  readonly used: number
  readonly millisLeft: number
}

/** The counts of all windows. The request is not counted when it is over the limit of one of them. */
export interface SharedResult {
  readonly isCounted: boolean
  readonly counts: ReadonlyArray<SharedCount>
}

// Why Redis did not count. The reason does not quote the error, which may contain the URL.
interface NotCounted {
  readonly reason: string
}

// An atomic script, so that one of two parallel first requests begins the window, and no request is counted beyond a limit. Every
// key expires. The arguments are the limit and the length of each window.
const countScript = `
local isCounted = 1
for i, key in ipairs(KEYS) do
  if tonumber(redis.call("GET", key) or 0) >= tonumber(ARGV[2 * i - 1]) then isCounted = 0 end
end
local counts = {}
for i, key in ipairs(KEYS) do
  local used = 0
  if isCounted == 1 then used = redis.call("INCR", key) else used = tonumber(redis.call("GET", key) or 0) end
  local left = redis.call("PTTL", key)
  if left < 0 then
    left = tonumber(ARGV[2 * i])
    if used > 0 then redis.call("PEXPIRE", key, left) end
  end
  counts[i] = { used, left }
end
return { isCounted, counts }
`

const Reply = Schema.Tuple([Schema.Literals([0, 1]), Schema.Array(Schema.Tuple([Schema.Int, Schema.Int]))])
const isReply = Schema.is(Reply)

const parseReply = ([isCounted, counts]: typeof Reply.Type): SharedResult => ({
  isCounted: isCounted === 1,
  counts: counts.map(([used, millisLeft]) => ({ used, millisLeft }))
})

const countedAlone = Metric.counter("rate_limits_counted_alone_total", {
  description: "Requests that this gateway counted by itself, because Redis did not",
  incremental: true
})

const warnEveryMillis = 60_000

// Lets this process send and read what is pending, so that its own load does not count as Redis's latency.
const flushPendingIo = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))

const notReady: NotCounted = { reason: "no connection" }
const waiting: NotCounted = { reason: "an earlier request is not answered yet" }

// Returns the code of the system or of Redis (ECONNREFUSED, WRONGPASS), or else the class of the error.
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
          // No request waits for a connection, and none is counted later.
          disableOfflineQueue: true,
          // A connection without answers is replaced.
          pingInterval: 1000,
          socket: {
            connectTimeout: 2000,
            socketTimeout: 2000,
            reconnectStrategy: (retries) => Math.min(50 * 2 ** Math.min(retries, 10), 1000)
          }
        }),
      catch: () => new BootError({ message: "REDIS_URL has to be a URL such as redis://user:password@host:6379." })
    }),
    (client) => Effect.sync(() => client.destroy())
  )

/**
 * Makes the counter in the Redis that all gateways share. A request waits for at most the time limit. After a timeout no request asks
 * Redis until the overdue command is answered or its connection is closed.
 */
export const makeSharedCounts = Effect.fnUntraced(function* ({ timeLimit, url }: SharedRedis) {
  const client = yield* makeClient(Redacted.value(url))
  const runFork = Effect.runForkWith(yield* Effect.context<never>())
  const tooSlow: NotCounted = { reason: `no answer within ${Duration.format(timeLimit)}` }
  let overdue = 0
  let warnedAt = Number.NEGATIVE_INFINITY
  let isAway = false

  const warnAway = ({ reason }: NotCounted) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      if (now - warnedAt < warnEveryMillis) return Effect.void
      warnedAt = now
      isAway = true
      return Effect.annotateLogs(
        Effect.logWarning("Redis does not count requests: this gateway holds its callers to the rate limits by itself"),
        { reason }
      )
    })

  const logRecovery = Effect.suspend(() => {
    if (!isAway) return Effect.void
    isAway = false
    return Effect.logInfo("Redis counts requests again: the rate limits are those of all gateways together")
  })

  client.on("error", (error) => {
    runFork(warnAway({ reason: reasonOf(error) }))
  })
  // If Redis is away, the gateway starts anyway, and the client keeps trying to connect.
  yield* Effect.tryPromise(() => client.connect()).pipe(Effect.timeout("1 second"), Effect.ignore)

  const settle = () => {
    overdue -= 1
  }

  const timeIsUp = flushPendingIo.pipe(Effect.andThen(Effect.sleep(timeLimit)), Effect.andThen(flushPendingIo))

  const ask = (windows: ReadonlyArray<SharedWindow>): Effect.Effect<SharedResult | NotCounted> =>
    Effect.suspend(() => {
      if (!client.isReady) return Effect.succeed(notReady)
      if (overdue > 0) return Effect.succeed(waiting)
      const keys = windows.map(({ key }) => key)
      const windowArguments = windows.flatMap(({ limit, millis }) => [String(limit), String(millis)])
      const pending = client.eval(countScript, { keys, arguments: windowArguments }).then(
        (reply) => (isReply(reply) && reply[1].length === keys.length ? parseReply(reply) : { reason: "no count" }),
        (error) => ({ reason: reasonOf(error) })
      )
      const giveUp = Effect.sync(() => {
        overdue += 1
        pending.then(settle)
        return tooSlow
      })
      return Effect.raceFirst(
        Effect.promise(() => pending),
        Effect.andThen(timeIsUp, giveUp)
      )
    })

  return {
    /**
     * Counts a request in each window, or in none; undefined when Redis did not answer. A window begins with its first
     * request. The keys of a request are in one slot of a cluster.
     */
    count: (windows: ReadonlyArray<SharedWindow>): Effect.Effect<SharedResult | undefined> =>
      Effect.flatMap(ask(windows), (outcome) =>
        "reason" in outcome
          ? Effect.as(Effect.andThen(warnAway(outcome), Metric.update(countedAlone, 1)), undefined)
          : Effect.as(logRecovery, outcome)
      ),

    /** Returns what is counted in the windows with these keys; undefined when Redis does not answer. */
    used: (keys: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<number> | undefined> =>
      Effect.tryPromise(async () => (await client.mGet([...keys])).map((used) => Number(used ?? 0))).pipe(
        Effect.timeout(timeLimit),
        Effect.catchCause(() => Effect.succeed(undefined))
      )
  }
})
