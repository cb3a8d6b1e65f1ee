import { randomUUID } from "node:crypto"
import { OrganizationId } from "@care/domain/ids"
import { layerTestCipher } from "@care/phi/testing"
import { removeOldRows } from "@care/service-kit"
import { layerTestDatabase } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { makeIdempotencyKeysRepo } from "./IdempotencyKeysRepo.ts"
import { oldIdempotencyKeys } from "./oldIdempotencyKeys.ts"

layer(Layer.merge(layerTestDatabase("cases"), layerTestCipher))("oldIdempotencyKeys", (it) => {
  const organizationId = OrganizationId.make(randomUUID())
  const claim = Effect.fnUntraced(function* (key: string) {
    const repo = yield* makeIdempotencyKeysRepo
    return yield* repo.claim({
      organizationId,
      operation: "o",
      key,
      holder: randomUUID(),
      bodyHash: "h",
      ids: {}
    })
  })

  it.effect("removes keys that are 30 days old, and no younger ones; an old one is free also before", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const kept = Effect.map(sql<{ key: string }>`SELECT key FROM idempotency_keys ORDER BY key`, (rows) =>
        rows.map(({ key }) => key)
      )
      assert.isTrue(yield* claim("a"))
      yield* TestClock.adjust("1 second")
      assert.isTrue(yield* claim("b"))
      yield* TestClock.adjust("2591998999 millis")
      yield* removeOldRows([oldIdempotencyKeys])
      assert.deepStrictEqual([yield* kept, yield* claim("a")], [["a", "b"], false])
      yield* TestClock.adjust("1 millis")
      yield* removeOldRows([oldIdempotencyKeys])
      assert.deepStrictEqual(yield* kept, ["b"])
      yield* TestClock.adjust("999 millis")
      assert.isFalse(yield* claim("b"))
      yield* TestClock.adjust("1 millis")
      assert.isTrue(yield* claim("b"))
    })
  )
})
