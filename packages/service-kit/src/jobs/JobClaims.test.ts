import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Option } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { layerTestDatabase } from "../testing/layerTestDatabase.ts"
import { readsOf } from "../testing/readsOf.ts"
import { makeJobClaims, type Wanted } from "./JobClaims.ts"

// What the table was like when it was last analysed.
const moments: Readonly<Record<string, (sql: SqlClient.SqlClient) => Effect.Effect<unknown, SqlError.SqlError>>> = {
  "all waited": () => Effect.void,
  "all were under way": (sql) =>
    sql`UPDATE jobs SET state = 'running', claim_id = gen_random_uuid(), locked_at = clock_timestamp()`,
  "the process of each had ended": (sql) => sql`UPDATE jobs SET deaths = 1`
}

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

  const makeClaim = Effect.map(
    makeJobClaims,
    ({ claim }) =>
      (queue: string, wanted: Partial<Wanted> = {}) =>
        Effect.map(claim(queue, { most: 1, ...wanted }), ({ jobs }) => jobs)
  )

  const namesOf = (claimed: ReadonlyArray<ReadonlyArray<{ readonly requestId: string }>>) =>
    claimed.flat().map(({ requestId }) => requestId)

  it.effect(
    "the organization with the fewest jobs under way comes first, and of those the one that waits longest",
    () =>
      Effect.gen(function* () {
        const claim = yield* makeClaim
        yield* offer("turns", randomUUID(), "many", 10)
        yield* offer("turns", randomUUID(), "few", 3)
        yield* offer("turns", randomUUID(), "one", 1)
        const claimed = yield* Effect.replicateEffect(claim("turns"), 8)
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
      const claim = yield* makeClaim
      yield* offer("limits", randomUUID(), "a", 20)
      yield* offer("limits", randomUUID(), "b", 20)
      const claimed = yield* Effect.all(
        Array.from({ length: 30 }, () => claim("limits", { perOrganization: 3, isCountedExactly: true })),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(namesOf(claimed).sort(), ["a 1", "a 2", "a 3", "b 1", "b 2", "b 3"])
    })
  )

  it.effect(
    "several are taken as if one after the other, also beside those that are under way, and up to the limit",
    () =>
      Effect.gen(function* () {
        const claim = yield* makeClaim
        for (const queue of ["one by one", "together"]) {
          const [many, few, one] = [randomUUID(), randomUUID(), randomUUID()]
          yield* offer(queue, many, "many", 10)
          yield* claim(queue, { most: 2 })
          yield* offer(queue, few, "few", 3)
          yield* offer(queue, one, "one", 1)
        }
        const wanted = { perOrganization: 4 }
        const oneByOne = yield* Effect.replicateEffect(claim("one by one", wanted), 12)
        for (const most of [3, 3, 6]) {
          const expected = namesOf(oneByOne.splice(0, most))
          assert.sameMembers(namesOf([yield* claim("together", { ...wanted, most })]), expected)
        }
      })
  )

  it.effect("each job is taken once, whoever asks at the same time", () =>
    Effect.gen(function* () {
      const claim = yield* makeClaim
      const { claimSuspicious } = yield* makeJobClaims
      const sql = yield* SqlClient.SqlClient
      yield* offer("shared", randomUUID(), "a", 20)
      yield* offer("shared", randomUUID(), "b", 20)
      yield* sql`UPDATE jobs SET deaths = 1 WHERE queue_name = 'shared' AND request_id LIKE 'b%'`
      const claimed = yield* Effect.all(
        Array.from({ length: 60 }, () => [
          claim("shared"),
          Effect.map(claimSuspicious("shared"), Option.toArray)
        ]).flat(),
        { concurrency: "unbounded" }
      )
      // Those that may be taken beside others come after those that may not.
      claimed.push(
        ...(yield* Effect.all(
          Array.from({ length: 60 }, () => claim("shared")),
          { concurrency: "unbounded" }
        ))
      )
      const expected = ["a", "b"].flatMap((name) => Array.from({ length: 20 }, (_, index) => `${name} ${index + 1}`))
      assert.deepStrictEqual(namesOf(claimed).sort(), expected.sort())
    })
  )

  it.effect("what is not due yet is not taken, and holds nobody up", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const claim = yield* makeClaim
      yield* offer("later", randomUUID(), "later", 100)
      yield* sql`UPDATE jobs SET due_at = now() + interval '1 hour' WHERE queue_name = 'later'`
      yield* offer("later", randomUUID(), "now", 1)
      const claimed = yield* Effect.replicateEffect(claim("later"), 2)
      assert.deepStrictEqual(namesOf(claimed), ["now 1"])
    })
  )

  for (const [moment, change] of Object.entries(moments)) {
    it.effect(`taking one costs the same however many wait, also by statistics of a moment when ${moment}`, () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { claim, claimSuspicious, refresh, takeOver } = yield* makeJobClaims
        const [large, small] = [randomUUID(), randomUUID()]
        yield* sql`TRUNCATE jobs`
        yield* offer("growth", large, "before", 200)
        yield* change(sql)
        yield* sql`ANALYZE jobs`
        yield* sql`UPDATE jobs SET state = 'completed', payload = NULL, ended_at = now(), claim_id = NULL, locked_at = NULL`
        yield* offer("growth", large, "few", 10)
        const takeOne = readsOf(
          ["jobs"],
          Effect.all([
            takeOver(Duration.hours(1), []),
            refresh([randomUUID()]),
            claimSuspicious("growth"),
            claim("growth", { most: 1, perOrganization: 20 })
          ])
        )
        const few = Math.max(...(yield* Effect.replicateEffect(takeOne, 10)))
        yield* offer("growth", large, "large", 5000)
        yield* offer("growth", small, "small", 1)
        const many = yield* takeOne
        assert.isAbove(many, 0)
        assert.isAtMost(many, few)
        assert.deepStrictEqual(
          yield* sql`SELECT request_id FROM jobs WHERE organization_id = ${small} AND state = 'running'`,
          [{ requestId: "small 1" }]
        )
      })
    )
  }
})
