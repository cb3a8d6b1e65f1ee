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

  it.effect(
    "of jobs and stored answers of every state and age removes what is old enough, and no job that waits or runs",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        // A minute younger than so many days.
        const since = sql`now() - day * interval '1 day' + interval '1 minute'`
        yield* sql`
        INSERT INTO jobs (
          id, queue_name, organization_id, version, request_id, payload, state, crashes, attempts, due_at, created_at, ended_at, claim_id,
          locked_at
        )
        SELECT gen_random_uuid(), 'aged', gen_random_uuid(), 1, state || ' ' || crashes,
               CASE WHEN state NOT IN ('completed', 'cancelled') THEN ''::bytea END, state, crashes, day, ${since}, ${since},
               CASE WHEN state NOT IN ('pending', 'running') THEN ${since} END, CASE state WHEN 'running' THEN gen_random_uuid() END,
               CASE state WHEN 'running' THEN ${since} END
        FROM unnest(ARRAY['pending', 'running', 'completed', 'cancelled', 'failed']) AS state, generate_series(0, 2) AS crashes,
             generate_series(0, 60) AS day
      `
        yield* sql`
        INSERT INTO idempotency_keys (organization_id, operation, key, body_hash, ids, holder, leased_until, answer, created_at)
        SELECT gen_random_uuid(), 'aged', day, answer, '{}', gen_random_uuid(), ${since}, nullif(answer, 'none'), ${since}
        FROM unnest(ARRAY['some', 'none']) AS answer, generate_series(0, 60) AS day
      `
        yield* removeOldRows(commonOldRows)
        const jobs = sql`
        SELECT request_id AS state, array_agg(attempts ORDER BY attempts) AS days FROM jobs WHERE queue_name = 'aged'
        GROUP BY request_id ORDER BY request_id
      `
        const answers = sql`
        SELECT body_hash AS state, array_agg(key::int ORDER BY key::int) AS days FROM idempotency_keys WHERE operation = 'aged'
        GROUP BY body_hash ORDER BY body_hash
      `
        const upTo = (days: number) => Array.from({ length: days + 1 }, (_, day) => day)
        const ages = { cancelled: 7, completed: 7, failed: 30, pending: 60, running: 60 }
        assert.deepStrictEqual(
          yield* jobs,
          Object.entries(ages).flatMap(([state, days]) =>
            [0, 1, 2].map((crashes) => ({ state: `${state} ${crashes}`, days: upTo(days) }))
          )
        )
        assert.deepStrictEqual(
          yield* answers,
          ["none", "some"].map((state) => ({ state, days: upTo(30) }))
        )
      })
  )
})
