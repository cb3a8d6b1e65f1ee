import { randomUUID } from "node:crypto"
import { OrganizationId } from "@care/domain/ids"
import { ofNobody } from "@care/phi"
import { layerTestCipher } from "@care/phi/testing"
import { removeOldRows } from "@care/service-kit"
import { layerTestDatabase } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { makeIdempotencyKeysRepo, oldIdempotencyKeys } from "./IdempotencyKeysRepo.ts"

layer(Layer.merge(layerTestDatabase("cases", 1), layerTestCipher))("idempotency keys", (it) => {
  const organizationId = OrganizationId.make(randomUUID())
  const keyOf = (key: string) => ({ organizationId, operation: "create case", key, holder: randomUUID() })
  const bodyHash = "h".repeat(64)

  it.effect("are removed after 30 days, and free then before they are removed", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* makeIdempotencyKeysRepo
      const claim = (key: string) => repo.claim({ ...keyOf(key), bodyHash, ids: {} })
      const storedKeys = Effect.map(sql<{ key: string }>`SELECT key FROM idempotency_keys ORDER BY key`, (rows) =>
        rows.map(({ key }) => key)
      )
      assert.isTrue(yield* claim("a"))
      yield* TestClock.adjust("1 second")
      assert.isTrue(yield* claim("b"))
      yield* TestClock.adjust("2591998999 millis")
      yield* removeOldRows([oldIdempotencyKeys])
      assert.deepStrictEqual([yield* storedKeys, yield* claim("a")], [["a", "b"], false])
      yield* TestClock.adjust("1 millis")
      yield* removeOldRows([oldIdempotencyKeys])
      assert.deepStrictEqual(yield* storedKeys, ["b"])
      yield* TestClock.adjust("999 millis")
      assert.isFalse(yield* claim("b"))
      yield* TestClock.adjust("1 millis")
      assert.isTrue(yield* claim("b"))
    })
  )

  it.effect("have room for their answers, so that no index changes with them", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* makeIdempotencyKeysRepo
      const updates = sql<{ updates: number; inPlace: number }>`
        SELECT n_tup_upd::int AS updates, n_tup_hot_upd::int AS in_place
        FROM pg_stat_user_tables WHERE relid = 'idempotency_keys'::regclass
      `.pipe(Effect.map(([counted]) => counted ?? assert.fail()))
      yield* sql`SELECT pg_stat_force_next_flush()`
      const before = yield* updates
      // The number of requests in progress at a time. Each has a response of the usual length.
      const inProgress = 30
      const heldKeys = Array.from({ length: 400 }, (_, index) => keyOf(`order-${index}`))
      for (const [index, key] of heldKeys.entries()) {
        yield* repo.claim({ ...key, bodyHash, ids: { caseId: randomUUID() } })
        const ending = heldKeys[index - inProgress]
        if (ending !== undefined) yield* repo.keep(ending, "x".repeat(260), ofNobody)
      }
      yield* sql`SELECT pg_stat_force_next_flush()`
      const after = yield* updates
      assert.strictEqual(after.updates - before.updates, heldKeys.length - inProgress)
      // Without the free room in pages it would be a third.
      assert.isAbove((after.inPlace - before.inPlace) / (after.updates - before.updates), 0.5)
    })
  )
})
