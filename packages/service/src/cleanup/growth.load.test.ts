import { layerAuditedDatabase } from "@care/audit/testing"
import { removeOldRows } from "@care/service-kit"
import { readsOf } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { commonOldRows } from "./layerCleanup.ts"

layer(layerAuditedDatabase("cases"), { excludeTestServices: true })("the clean-up", (it) => {
  const removal = readsOf(["things"], removeOldRows([{ table: "things", key: ["id"], since: "used_at", age: "1 day" }]))

  /** Makes things that were last used two days ago and earlier, a second apart. */
  const makeThings = (count: number) =>
    SqlClient.SqlClient.use(
      (sql) => sql`
        INSERT INTO things SELECT now() - interval '2 days' - n * interval '1 second' FROM generate_series(1, ${count}::int) n
      `
    )

  it.effect("reads no rows if none are old, whatever the statistics say, and reads old rows once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE things (used_at timestamptz NOT NULL, id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY)`
      yield* sql`CREATE INDEX ON things (used_at)`
      yield* makeThings(10_000)
      yield* sql`ANALYZE things`
      yield* sql`UPDATE things SET used_at = now()`
      yield* sql`VACUUM things`
      // The planner looks at the ends of the index.
      assert.isBelow(yield* removal, 10)

      yield* makeThings(1000)
      const few = yield* removal
      yield* sql`VACUUM things`
      yield* makeThings(10_000)
      // The rows that are removed here cannot be vacuumed before the end.
      const many = yield* removal
      assert.isAtLeast(few, 1000)
      assert.isAtMost(many, 10.1 * few)
      assert.lengthOf(yield* sql`SELECT FROM things WHERE used_at < now() - interval '1 day'`, 0)
    })
  )

  it.effect("reads none of the jobs and idempotency keys that are not old", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const clean = readsOf(["jobs", "idempotency_keys"], removeOldRows(commonOldRows))
      yield* sql`
        INSERT INTO jobs (id, queue_name, organization_id, version, payload, request_id, state, due_at, ended_at)
        SELECT gen_random_uuid(), 'q', gen_random_uuid(), 1, CASE WHEN n % 2 = 0 THEN ''::bytea END, 'r',
               CASE WHEN n % 2 = 0 THEN 'failed' ELSE 'completed' END, now(), now()
        FROM generate_series(1, 6000) n
      `
      yield* sql`
        INSERT INTO idempotency_keys (
          organization_id, operation, key, body_hash, ids, holder, leased_until, created_at
        )
        SELECT gen_random_uuid(), 'o', n, '', '{}', gen_random_uuid(), now(), now()
        FROM generate_series(1, 6000) n
      `
      yield* sql`ANALYZE`
      assert.isBelow(yield* clean, 100)
      yield* sql`UPDATE jobs SET ended_at = to_timestamp(0)`
      assert.isAtLeast(yield* clean, 6000)
    })
  )
})
