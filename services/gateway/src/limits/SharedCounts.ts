import { BootError } from "@care/service-kit"
import { createClient } from "@redis/client"
import { Clock, Duration, Effect, Metric, Redacted, Schema } from "effect"
import type { SharedRedis } from "../GatewaySettings.ts"

/** What all gateways together have counted in a window, and for how many milliseconds it goes on. */
export interface SharedCount {
  readonly used: number
  readonly millisLeft: number
}

// Why Redis did not count: it is away, slow, or refuses. Nothing of it is quoted, least of all its URL.
interface NotCounted {
  readonly reason: string
}

// One statement to all that count at once: of two first requests one begins the window. A count never stays without an end.
const countScript = `
local counts = {}
for i, key in ipairs(KEYS) do
  local used = redis.call("INCR", key)
  local left = redis.call("PTTL", key)
  if left < 0 then
    left = tonumber(ARGV[i])
    redis.call("PEXPIRE", key, left)
  end
  counts[i] = { used, left }
end
return counts
`

const isReply = Schema.is(Schema.Array(Schema.Tuple([Schema.Int, Schema.Int])))

const countedAlone = Metric.counter("rate_limits_counted_alone_total", {
  description: "Requests that this gateway counted by itself, because Redis did not",
  incremental: true
})

const tellEveryMillis = 60_000

// Lets this process send what it has to send, and read what has come: that it was busy is not Redis's slowness.
const sentAndRead = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))

const notReady: NotCounted = { reason: "no connection" }
const waiting: NotCounted = { reason: "an earlier request is not answered yet" }

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
            socketTimeout: 2000,
            reconnectStrategy: (retries) => Math.min(50 * 2 ** Math.min(retries, 10), 1000)
          }
        }),
      catch: () => new BootError({ message: "REDIS_URL has to be a URL such as redis://user:password@host:6379." })
    }),
    (client) => Effect.sync(() => client.destroy())
  )

/**
 * Counts in a Redis that all gateways share. A request waits for it no longer than the time limit; when one has waited in vain,
 * none asks before Redis has answered that one, or its connection was given up.
 */
export const makeSharedCounts = Effect.fnUntraced(function* ({ timeLimit, url }: SharedRedis) {
  const client = yield* makeClient(Redacted.value(url))
  const runFork = Effect.runForkWith(yield* Effect.context<never>())
  const tooSlow: NotCounted = { reason: `no answer within ${Duration.format(timeLimit)}` }
  let overdue = 0
  let toldAt = Number.NEGATIVE_INFINITY
  let isToldAway = false

  const tellAway = ({ reason }: NotCounted) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      if (now - toldAt < tellEveryMillis) return Effect.void
      toldAt = now
      isToldAway = true
      return Effect.annotateLogs(
        Effect.logWarning("Redis does not count requests: this gateway holds its callers to the rate limits by itself"),
        { reason }
      )
    })

  const tellBack = Effect.suspend(() => {
    if (!isToldAway) return Effect.void
    isToldAway = false
    return Effect.logInfo("Redis counts requests again: the rate limits are those of all gateways together")
  })

  client.on("error", (error) => {
    runFork(tellAway({ reason: reasonOf(error) }))
  })
  // Without a Redis it goes on connecting, and the gateway starts.
  yield* Effect.tryPromise(() => client.connect()).pipe(Effect.timeout("1 second"), Effect.ignore)

  const settle = () => {
    overdue -= 1
  }

  const timeIsUp = sentAndRead.pipe(Effect.andThen(Effect.sleep(timeLimit)), Effect.andThen(sentAndRead))

  const ask = (
    keys: ReadonlyArray<string>,
    windowMillis: ReadonlyArray<number>
  ): Effect.Effect<ReadonlyArray<SharedCount> | NotCounted> =>
    Effect.suspend(() => {
      if (!client.isReady) return Effect.succeed(notReady)
      if (overdue > 0) return Effect.succeed(waiting)
      const asked = client.eval(countScript, { keys: [...keys], arguments: windowMillis.map(String) }).then(
        (reply) =>
          isReply(reply) && reply.length === keys.length
            ? reply.map(([used, millisLeft]) => ({ used, millisLeft }))
            : { reason: "no count" },
        (error) => ({ reason: reasonOf(error) })
      )
      const giveUp = Effect.sync(() => {
        overdue += 1
        asked.then(settle)
        return tooSlow
      })
      return Effect.raceFirst(
        Effect.promise(() => asked),
        Effect.andThen(timeIsUp, giveUp)
      )
    })

  return {
    /**
     * Counts a request under each of some keys, each in a window that begins with its first one; undefined when Redis did not
     * count it.
     */
    count: (
      keys: ReadonlyArray<string>,
      windowMillis: ReadonlyArray<number>
    ): Effect.Effect<ReadonlyArray<SharedCount> | undefined> =>
      Effect.flatMap(ask(keys, windowMillis), (outcome) =>
        "reason" in outcome
          ? Effect.as(Effect.andThen(tellAway(outcome), Metric.update(countedAlone, 1)), undefined)
          : Effect.as(tellBack, outcome)
      )
  }
})
