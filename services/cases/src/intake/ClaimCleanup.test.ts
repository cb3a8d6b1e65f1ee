import { randomUUID } from "node:crypto"
import { CaseId, OrganizationId } from "@care/domain"
import { layerTestDatabase } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { removeOldClaims } from "./ClaimCleanup.ts"
import { IntakeRepo } from "./IntakeRepo.ts"

layer(Layer.provideMerge(IntakeRepo.layer, layerTestDatabase("cases")))("ClaimCleanup", (it) => {
  it.effect("removes keys that are 30 days old, and no younger ones", () =>
    Effect.gen(function* () {
      const repo = yield* IntakeRepo
      const sql = yield* SqlClient.SqlClient
      const take = Effect.fnUntraced(function* (key: string) {
        const claim = { organizationId: OrganizationId.make(randomUUID()), operation: "o", key, bodyHash: "h" }
        yield* repo.takeClaim(claim, CaseId.make(randomUUID()), yield* DateTime.nowAsDate)
      })
      const kept = Effect.map(sql<{ key: string }>`SELECT key FROM idempotency_keys ORDER BY key`, (rows) =>
        rows.map(({ key }) => key)
      )
      yield* take("a")
      yield* TestClock.adjust("1 second")
      yield* take("b")
      yield* TestClock.adjust("2591998999 millis")
      yield* removeOldClaims
      assert.deepStrictEqual(yield* kept, ["a", "b"])
      yield* TestClock.adjust("1 millis")
      yield* removeOldClaims
      assert.deepStrictEqual(yield* kept, ["b"])
    })
  )
})
