import { randomUUID } from "node:crypto"
import { rateLimits } from "@care/domain/http"
import { freePort, until } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { createClient } from "@redis/client"
import { Effect } from "effect"
import { makeRateLimits } from "../testing/layerTestSettings.ts"
import { isRedisThere, redisPassword, startRedis } from "../testing/redisServer.ts"
import { type Answer, ask } from "../testing/requests.ts"
import { runGateway } from "../testing/runGateway.ts"
import { keys } from "../testing/Upstream.ts"

if (!isRedisThere) process.stdout.write("No redis-server on the PATH: two gateways with a real one are not tested.\n")

const limit = 40

const list = (url: string, key: string) => ask(`${url}/api/v1/calendar/appointments`, { key })

const remaining = ({ headers }: Answer) => Number(/;r=(\d+);/.exec(headers.get("ratelimit") ?? "")?.[1])

const passed = (answers: ReadonlyArray<Answer>) => answers.filter(({ status }) => status === 200).length

const connected = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(() => createClient({ url }).connect()),
    (client) => Effect.sync(() => client.destroy())
  )

it.live.skipIf(!isRedisThere)(
  "two gateways on one Redis share a limit; when Redis is killed, each counts alone; when it is back, they share again",
  () =>
    Effect.gen(function* () {
      const port = yield* freePort
      const redis = yield* startRedis(port)
      const redisUrl = `redis://:${redisPassword}@127.0.0.1:${port}`
      // Long enough for a busy machine.
      const environment = {
        REDIS_URL: redisUrl,
        REDIS_TIME_LIMIT: "1 minute",
        RATE_LIMIT_APPOINTMENTS_LIST: String(limit)
      }
      const [first, second] = yield* Effect.all([runGateway({ environment }), runGateway({ environment })])
      const fromBoth = (key: string, times: number) =>
        Effect.forEach(Array(times).keys(), (index) => list((index % 2 === 0 ? first : second).url, key), {
          concurrency: 20
        })

      assert.strictEqual(passed(yield* fromBoth(keys.one, 3 * limit)), limit)
      assert.strictEqual(remaining(yield* list(first.url, keys.two)), limit - 1)
      assert.strictEqual(remaining(yield* list(second.url, keys.two)), limit - 2)

      yield* Effect.scoped(
        Effect.gen(function* () {
          const client = yield* connected(redisUrl)
          const names = yield* Effect.promise(() => client.keys("*"))
          assert.lengthOf(names, 2)
          for (const name of names) {
            assert.match(name, /^care:rate-limit:\{[0-9a-f-]{36}\}:APPOINTMENTS_LIST$/)
            const left = yield* Effect.promise(() => client.pTTL(name))
            assert.isAtLeast(left, 1)
            assert.isAtMost(left, 60_000)
          }
        })
      )

      yield* redis.kill
      assert.strictEqual((yield* list(first.url, keys.one)).status, 429)
      assert.strictEqual(passed(yield* fromBoth(keys.two, 4 * limit)), 2 * limit - 3)

      yield* startRedis(port)
      const client = yield* connected(redisUrl)
      const connections = Effect.map(
        Effect.promise(() => client.clientList()),
        (list) => list.length
      )
      yield* until(connections, (count) => count === 3)
      const listing = Effect.forEach([first, second, first, second], ({ url }) => list(url, keys.three))
      const left = yield* until(
        Effect.map(listing, (answers) => answers.map(remaining)),
        ([one = 0, other = 0]) => one === other + 1
      )
      assert.deepStrictEqual(
        left,
        [0, 1, 2, 3].map((less) => (left[0] ?? 0) - less)
      )
    })
)

it.live.skipIf(!isRedisThere)(
  "a Redis of a cluster counts a request under two rules, or under none when it is one too many for one of them",
  () =>
    Effect.gen(function* () {
      const [port, busPort] = yield* Effect.all([freePort, freePort])
      yield* startRedis(port, ["--cluster-enabled", "yes", "--cluster-port", String(busPort)])
      const redisUrl = `redis://:${redisPassword}@127.0.0.1:${port}`
      const client = yield* connected(redisUrl)
      yield* Effect.promise(() => client.clusterAddSlotsRange({ start: 0, end: 16_383 }))
      yield* until(
        Effect.promise(() => client.clusterInfo()),
        (info) => info.includes("cluster_state:ok")
      )
      const environment = { REDIS_URL: redisUrl, REDIS_TIME_LIMIT: "1 minute", RATE_LIMIT_APPOINTMENTS_BOOKING: "5" }
      const [first, second] = yield* Effect.all([makeRateLimits(environment), makeRateLimits(environment)])
      const { appointmentsBooking, writes } = rateLimits
      const caller = randomUUID()
      // Each gateway knows only the counts that Redis returned to it.
      const both = yield* Effect.forEach(
        Array(20).keys(),
        (index) => (index % 2 === 0 ? first : second).count([appointmentsBooking, writes], caller),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(
        both.filter(({ isExceeded }) => !isExceeded),
        5
      )
      for (const { isExceeded, rule } of both) assert.strictEqual(isExceeded && rule === writes, false)
      assert.deepInclude(yield* first.count([writes], caller), { isExceeded: false, remaining: writes.requests - 6 })
      assert.deepStrictEqual(
        (yield* second.usage([appointmentsBooking, writes], caller)).map(({ used }) => used),
        [5, 6]
      )
      const used = yield* Effect.promise(() => client.get(`care:rate-limit:{${caller}}:${appointmentsBooking.name}`))
      assert.strictEqual(used, "5")
      assert.isAbove(yield* Effect.promise(() => client.pTTL(`care:rate-limit:{${caller}}:${writes.name}`)), 0)
    })
)
