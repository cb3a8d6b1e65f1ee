import { randomUUID } from "node:crypto"
import { OrganizationId } from "@care/domain/ids"
import { layerTestCipher } from "@care/phi/testing"
import { layerTestDatabase, readsOf } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Layer, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as Job from "./Job.ts"
import { makeJobClaims } from "./JobClaims.ts"
import { makeListedJobsRepo } from "./ListedJobsRepo.ts"
import { makeEndMentions } from "./makeEndMentions.ts"
import { layerIdleJobs } from "./testing/layerIdleJobs.ts"
import { offerJobs } from "./testing/offerJobs.ts"

class Letters extends Job.make<Letters>()("letter", {
  version: 1,
  schema: Schema.Struct({ organizationId: OrganizationId, to: Schema.String }),
  retries: Job.upTo(5),
  concurrency: 1,
  cancelledWith: ({ to }) => to
}) {}

const TestLayer = Letters.layer.pipe(
  Layer.provideMerge(layerIdleJobs),
  Layer.provideMerge(layerTestDatabase("cases")),
  Layer.provideMerge(layerTestCipher)
)

// The state of the table when it was last analysed.
const moments: Readonly<Record<string, (sql: SqlClient.SqlClient) => Effect.Effect<unknown, SqlError.SqlError>>> = {
  "all were pending": () => Effect.void,
  "all were running": (sql) =>
    sql`UPDATE jobs SET state = 'running', claim_id = gen_random_uuid(), locked_at = clock_timestamp()`,
  "the process of each had ended": (sql) => sql`UPDATE jobs SET crashes = 1`
}

layer(TestLayer, { excludeTestServices: true })("many jobs", (it) => {
  // The tests say when statistics are made: autovacuum would make some of a table that is half filled.
  const truncate = SqlClient.SqlClient.use((sql) =>
    Effect.andThen(sql`TRUNCATE jobs`, sql`ALTER TABLE jobs SET (autovacuum_enabled = false)`)
  )

  /** Stores letters of an organization, or of one each: half of them pending, the others dead-lettered. */
  const seed = (owner: OrganizationId | null, count: number) =>
    SqlClient.SqlClient.use(
      (sql) => sql`
        INSERT INTO jobs (id, queue_name, organization_id, subject, version, request_id, payload, state, due_at, ended_at)
        SELECT gen_random_uuid(), 'letter', coalesce(${owner}::uuid, gen_random_uuid()), gen_random_uuid(), 1, 'r', '',
               CASE n % 2 WHEN 0 THEN 'pending' ELSE 'failed' END, now(), CASE n % 2 WHEN 1 THEN now() END
        FROM generate_series(1, ${count}::int) n
      `
    )

  for (const [moment, change] of Object.entries(moments)) {
    it.effect(`a claim costs the same however many jobs are pending, also by statistics of when ${moment}`, () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { claimsOf, claimSuspicious, refresh, takeOver, waiting } = yield* makeJobClaims
        const [large, small] = [randomUUID(), randomUUID()]
        yield* truncate
        yield* offerJobs("growth", large, "before", 200)
        yield* change(sql)
        yield* sql`ANALYZE jobs`
        yield* sql`UPDATE jobs SET state = 'completed', payload = NULL, ended_at = now(), claim_id = NULL, locked_at = NULL`
        yield* offerJobs("growth", large, "few", 100)
        const takeOne = readsOf(
          ["jobs"],
          Effect.all([
            takeOver(Duration.hours(1), []),
            refresh([randomUUID()]),
            waiting(["growth", "another"]),
            claimSuspicious("growth"),
            claimsOf("growth", { perOrganization: 20 }, Duration.zero)(1)
          ])
        )
        const few = Math.max(...(yield* Effect.replicateEffect(takeOne, 10)))
        yield* offerJobs("growth", large, "large", 5000)
        yield* offerJobs("growth", small, "small", 1)
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

  it.effect(
    "are counted up to 100,000, with the time since the first was due, at the same cost however many there are",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { counts } = yield* makeListedJobsRepo
        yield* truncate
        const offer = (queue: string, count: number, age: string) => sql`
        INSERT INTO jobs (id, queue_name, organization_id, version, request_id, payload, due_at, created_at)
        SELECT gen_random_uuid(), ${queue}, gen_random_uuid(), 1, 'r', '', now() - ${age}::text::interval, now() - ${age}::text::interval
        FROM generate_series(1, ${count}::int)
      `
        const offerMany = (times: number) =>
          Effect.replicateEffect(offer("many", 25_000, "1 hour"), times, { discard: true })
        const measured = Effect.map(counts, (rows) =>
          rows.map(({ count, overdueSeconds, queue, state }) => [
            queue,
            state,
            count,
            Math.floor(overdueSeconds / 3600)
          ])
        )
        const few = ["few", "pending", 3, 2]

        yield* offer("few", 3, "2 hours")
        yield* offerMany(4)
        assert.sameDeepMembers(yield* measured, [few, ["many", "pending", 100_000, 1]])
        const atMost = (yield* readsOf(["jobs"], measured)) + 10
        assert.isAbove(atMost, 100_000)
        yield* offerMany(2)
        yield* offer("many", 1, "1 day")
        assert.isAtMost(yield* readsOf(["jobs"], measured), atMost)
        yield* sql`ANALYZE jobs`
        assert.isAtMost(yield* readsOf(["jobs"], measured), atMost)
        assert.sameDeepMembers(yield* measured, [few, ["many", "pending", 100_000, 24]])
      })
  )

  it.effect("of a subject are cancelled at the same cost however many others are pending", () =>
    Effect.gen(function* () {
      yield* truncate
      const organizationId = OrganizationId.make(randomUUID())
      const cancelBySubject = yield* Job.makeCancelBySubject
      const cancelOne = Effect.gen(function* () {
        const to = randomUUID()
        yield* Effect.flatMap(Letters, ({ offer }) => offer({ organizationId, to }))
        return yield* readsOf(["jobs"], cancelBySubject(organizationId, to))
      })
      yield* seed(organizationId, 1000)
      const few = yield* cancelOne
      yield* seed(organizationId, 20_000)
      assert.isAtMost(yield* cancelOne, few + 3)
    })
  )

  it.effect("that mention a patient are cancelled at the same cost, and each of the organization is read once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* truncate
      const organizationId = OrganizationId.make(randomUUID())
      const endMentions = yield* makeEndMentions
      const endOne = Effect.gen(function* () {
        const to = randomUUID()
        yield* Effect.flatMap(Letters, ({ offer }) => offer({ organizationId, to }))
        const reads = yield* readsOf(["jobs"], endMentions(organizationId, ["letter"], [to]))
        assert.lengthOf(yield* sql`DELETE FROM jobs WHERE state = 'cancelled' RETURNING id`, 1)
        return reads
      })
      yield* seed(null, 1000)
      const few = yield* endOne
      yield* seed(null, 20_000)
      assert.isAtMost(yield* endOne, few + 3)
      yield* sql`ANALYZE jobs`
      assert.isAtMost(yield* endOne, few + 3)
      yield* seed(organizationId, 3000)
      assert.isAtMost(yield* endOne, few + 3100)
    })
  )
})
