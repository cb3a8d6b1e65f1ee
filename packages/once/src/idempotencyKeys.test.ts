import { randomUUID } from "node:crypto"
import { layerTestDatabase } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// As many requests as are under way at a time, each with an answer of the usual length.
const underWay = 30
const requests = 400
const answer = "x".repeat(400)

layer(layerTestDatabase("cases", 1), { excludeTestServices: true })("idempotency keys", (it) => {
  it.effect("an answer is stored beside its key, and no index has to follow", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const organizationId = randomUUID()
      const insert = (key: number) => sql`
        INSERT INTO idempotency_keys (organization_id, operation, key, body_hash, ids, holder, leased_until, created_at)
        VALUES (
          ${organizationId}, 'create case', ${`order-${key}`}, ${"h".repeat(64)}, jsonb_build_object('caseId', gen_random_uuid()),
          gen_random_uuid(), now(), now()
        )
      `
      const finish = (key: number) => sql`
        UPDATE idempotency_keys SET answer = ${answer}
        WHERE organization_id = ${organizationId} AND operation = 'create case' AND key = ${`order-${key}`}
      `
      for (let key = 0; key < requests; key += 1) {
        yield* insert(key)
        if (key >= underWay) yield* finish(key - underWay)
      }
      yield* sql`SELECT pg_stat_force_next_flush()`
      const [counted] = yield* sql<{ updates: number; inPlace: number }>`
        SELECT n_tup_upd::int AS updates, n_tup_hot_upd::int AS in_place
        FROM pg_stat_user_tables WHERE relid = 'idempotency_keys'::regclass
      `
      const { inPlace, updates } = counted ?? { inPlace: 0, updates: 0 }
      assert.strictEqual(updates, requests - underWay)
      // Without the room it is a third.
      assert.isAbove(inPlace / updates, 0.5)
    })
  )
})
