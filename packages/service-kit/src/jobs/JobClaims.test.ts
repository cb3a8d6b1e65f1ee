import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { layerTestDatabase } from "../testing/layerTestDatabase.ts"
import { makeJobClaims } from "./JobClaims.ts"

layer(layerTestDatabase("cases"), { excludeTestServices: true })("taking jobs", (it) => {
  /** Jobs of the requests `<name> 1`, `<name> 2`, ... of an organization, each due a second after the one before; the last is due now. */
  const offer = Effect.fnUntraced(function* (queue: string, organizationId: string, name: string, count: number) {
    const sql = yield* SqlClient.SqlClient
    yield* sql`
      INSERT INTO jobs (id, queue_name, organization_id, version, payload, request_id, due_at)
      SELECT gen_random_uuid(), ${queue}, ${organizationId}::uuid, 1, '', ${name} || ' ' || n, now() - (${count}::int - n) * interval '1 second'
      FROM generate_series(1, ${count}::int) AS n
    `
  })

  const namesOf = (claimed: ReadonlyArray<Option.Option<{ readonly requestId: string }>>) =>
    claimed.flatMap((job) => (Option.isSome(job) ? [job.value.requestId] : []))

  /** How many entries of the table and of its indexes an effect reads. */
  const readsOf = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
    const sql = yield* SqlClient.SqlClient
    const count = sql<{ reads: number }>`
      SELECT sum(pg_stat_get_xact_tuples_returned(oid))::int AS reads FROM pg_class
      WHERE oid = 'jobs'::regclass OR oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = 'jobs'::regclass)
    `.pipe(Effect.map(([row]) => row?.reads ?? Number.NaN))
    return yield* sql.withTransaction(
      Effect.gen(function* () {
        const before = yield* count
        yield* effect
        return (yield* count) - before
      })
    )
  })

  it.effect(
    "the organization with the fewest jobs under way comes first, and of those the one that waits longest",
    () =>
      Effect.gen(function* () {
        const { claim } = yield* makeJobClaims
        yield* offer("turns", randomUUID(), "many", 10)
        yield* offer("turns", randomUUID(), "few", 3)
        yield* offer("turns", randomUUID(), "one", 1)
        const claimed = yield* Effect.replicateEffect(claim("turns", undefined), 8)
        assert.deepStrictEqual(namesOf(claimed), [
          "many 1",
          "few 1",
          "one 1",
          "many 2",
          "few 2",
          "many 3",
          "few 3",
          "many 4"
        ])
      })
  )

  it.effect("no organization gets more than its limit, whoever asks at the same time", () =>
    Effect.gen(function* () {
      const { claim } = yield* makeJobClaims
      yield* offer("limits", randomUUID(), "a", 20)
      yield* offer("limits", randomUUID(), "b", 20)
      const claimed = yield* Effect.all(
        Array.from({ length: 30 }, () => claim("limits", 3)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(namesOf(claimed).sort(), ["a 1", "a 2", "a 3", "b 1", "b 2", "b 3"])
    })
  )

  it.effect("each job is taken once, whoever asks at the same time", () =>
    Effect.gen(function* () {
      const { claim, claimSuspicious } = yield* makeJobClaims
      const sql = yield* SqlClient.SqlClient
      yield* offer("shared", randomUUID(), "a", 20)
      yield* offer("shared", randomUUID(), "b", 20)
      yield* sql`UPDATE jobs SET deaths = 1 WHERE queue_name = 'shared' AND request_id LIKE 'b%'`
      const claimed = yield* Effect.all(
        Array.from({ length: 60 }, () => [claim("shared", undefined), claimSuspicious("shared")]).flat(),
        { concurrency: "unbounded" }
      )
      const expected = ["a", "b"].flatMap((name) => Array.from({ length: 20 }, (_, index) => `${name} ${index + 1}`))
      assert.deepStrictEqual(namesOf(claimed).sort(), expected.sort())
    })
  )

  it.effect("what is not due yet is not taken, and holds nobody up", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { claim } = yield* makeJobClaims
      yield* offer("later", randomUUID(), "later", 100)
      yield* sql`UPDATE jobs SET due_at = now() + interval '1 hour' WHERE queue_name = 'later'`
      yield* offer("later", randomUUID(), "now", 1)
      const claimed = yield* Effect.replicateEffect(claim("later", undefined), 2)
      assert.deepStrictEqual(namesOf(claimed), ["now 1"])
    })
  )

  it.effect("taking one costs the same however many wait, also when the table was small a moment ago", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { claim, nextTurn, takeOver } = yield* makeJobClaims
      const [large, small] = [randomUUID(), randomUUID()]
      yield* offer("growth", large, "before", 10)
      yield* sql`ANALYZE jobs`
      const takeOne = Effect.all([takeOver(Duration.hours(1), []), nextTurn("growth"), claim("growth", 20)])
      const few = Math.max(...(yield* Effect.replicateEffect(readsOf(takeOne), 10)))
      yield* offer("growth", large, "large", 100_000)
      yield* offer("growth", small, "small", 1)
      const many = yield* readsOf(takeOne)
      assert.isAbove(many, 0)
      assert.isAtMost(many, few)
      assert.deepStrictEqual(
        yield* sql`SELECT request_id FROM jobs WHERE organization_id = ${small} AND state = 'running'`,
        [{ requestId: "small 1" }]
      )
    })
  )
})
