import { layerAuditedDatabase } from "@care/audit/testing"
import { layerJobs } from "@care/jobs"
import { layerTestCipher } from "@care/phi/testing"
import { removeOldRows } from "@care/service-kit"
import { until } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { commonOldRows, layerCleanup } from "./layerCleanup.ts"

const TestLayer = layerJobs.pipe(Layer.provideMerge(layerAuditedDatabase("cases")), Layer.provide(layerTestCipher))

layer(TestLayer, { excludeTestServices: true })("layerCleanup", (it) => {
  it.effect("removes old jobs and the service's own old rows in one job an hour", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE things AS SELECT 1 AS id, to_timestamp(0) AS used_at`
      yield* sql`
        INSERT INTO jobs (id, queue_name, organization_id, version, request_id, state, due_at, ended_at)
        VALUES (gen_random_uuid(), 'old', gen_random_uuid(), 1, 'r', 'completed', now(), to_timestamp(0))
      `
      const completed = sql`SELECT FROM jobs WHERE queue_name = 'cleanup' AND state = 'completed'`
      yield* until(completed, ({ length }) => length === 1).pipe(
        Effect.provide(layerCleanup([{ table: "things", key: ["id"], since: "used_at", age: "1 day" }]))
      )
      const remaining = sql`SELECT FROM jobs WHERE queue_name = 'old' UNION ALL SELECT FROM things`
      assert.lengthOf(yield* remaining, 0)
    })
  )

  it.effect("removes any number of old jobs: completed and cancelled ones after 7 days, failed ones after 30", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const insert = (state: string, days: number, count: number) => sql`
        INSERT INTO jobs (id, queue_name, key, organization_id, version, request_id, payload, state, due_at, ended_at)
        SELECT gen_random_uuid(), 'old', ${`${state} ${days}`} || ' ' || n, gen_random_uuid(), 1, 'r',
          CASE ${state} WHEN 'failed' THEN ''::bytea END, ${state}, now(),
          now() - ${days}::int * interval '1 day'
        FROM generate_series(1, ${count}::int) AS n
      `
      yield* insert("completed", 8, 2500)
      yield* insert("completed", 6, 1)
      yield* insert("cancelled", 8, 1)
      yield* insert("cancelled", 6, 1)
      yield* insert("failed", 31, 1001)
      yield* insert("failed", 29, 1)
      yield* removeOldRows(commonOldRows)
      const remaining = yield* sql<{ key: string }>`SELECT key FROM jobs WHERE queue_name = 'old' ORDER BY key`
      assert.deepStrictEqual(
        remaining.map(({ key }) => key),
        ["cancelled 6 1", "completed 6 1", "failed 29 1"]
      )
    })
  )
})
