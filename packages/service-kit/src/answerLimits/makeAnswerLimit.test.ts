import { randomUUID } from "node:crypto"
import type { RateLimitRule } from "@care/domain/http"
import { OrganizationId } from "@care/domain/ids"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { layerTestDatabase } from "../testing/layerTestDatabase.ts"
import { makeAnswerLimit } from "./makeAnswerLimit.ts"

const rule: RateLimitRule = { name: "SMALL", requests: 5, meaning: "requests of a test" }
const other: RateLimitRule = { name: "OTHER", requests: 5, meaning: "requests of a test" }

const newOrganization = () => OrganizationId.make(randomUUID())

layer(layerTestDatabase("payments"))("makeAnswerLimit", (it) => {
  it.effect("parallel answers of several instances are limited exactly", () =>
    Effect.gen(function* () {
      const instances = yield* Effect.replicateEffect(makeAnswerLimit(rule), 3)
      const organizationId = newOrganization()
      const results = yield* Effect.forEach(
        Array(60).keys(),
        (index) => Effect.isSuccess((instances[index % 3] ?? assert.fail()).count(organizationId)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(results.filter((isAllowed) => isAllowed).length, 5)
      for (const { require } of instances) {
        assert.deepInclude(yield* Effect.flip(require(organizationId)), { limit: 5, retryAfter: 60 })
      }
    })
  )

  it.effect("a window begins with a counted answer, and ends a minute later", () =>
    Effect.gen(function* () {
      const { count, require } = yield* makeAnswerLimit(rule)
      const organizationId = newOrganization()
      yield* TestClock.adjust("10 seconds")
      for (let answer = 0; answer < 5; answer += 1) {
        yield* require(organizationId)
        yield* count(organizationId)
        yield* TestClock.adjust("10 seconds")
      }
      yield* TestClock.adjust("9999 millis")
      yield* Effect.flip(require(organizationId))
      yield* Effect.flip(count(organizationId))
      yield* TestClock.adjust("1 millis")
      yield* require(organizationId)
      for (let answer = 0; answer < 5; answer += 1) yield* count(organizationId)
      yield* Effect.flip(require(organizationId))
    })
  )

  it.effect("each organization and each limit has its own count; the environment changes the number", () =>
    Effect.gen(function* () {
      const env = { RATE_LIMIT_SMALL: "1" }
      const small = yield* Effect.provide(makeAnswerLimit(rule), ConfigProvider.layer(ConfigProvider.fromUnknown(env)))
      const second = yield* makeAnswerLimit(other)
      const [one, two] = [newOrganization(), newOrganization()]
      yield* small.count(one)
      assert.strictEqual((yield* Effect.flip(small.count(one))).limit, 1)
      yield* small.count(two)
      yield* second.count(one)
      yield* second.require(one)
    })
  )

  it.effect("an answer is not counted inside a transaction, which could roll back", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { count } = yield* makeAnswerLimit(rule)
      const exit = yield* Effect.exit(sql.withTransaction(count(newOrganization())))
      assert.include(String(exit), "inside a database transaction")
    })
  )
})
