import { randomUUID } from "node:crypto"
import { JobId } from "@care/domain/ids"
import type { JobState, ServiceJob } from "@care/domain/jobs"
import { inBackground, metricsWith, newest } from "@care/service-kit"
import { countLockWaits, layerTestDatabase, makePools, readsOf, until } from "@care/service-kit/testing"
import { assert, it, layer } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber, Layer, Metric, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { noOrganization } from "./JobsRepo.ts"
import { JobWakeUp } from "./JobWakeUp.ts"
import { makeListedJobsRepo } from "./ListedJobsRepo.ts"
import { makeJobGauges } from "./layerJobsApi.ts"

const TestLayer = Layer.merge(JobWakeUp.layer, layerTestDatabase("cases"))

layer(TestLayer, { excludeTestServices: true })("jobs as operators see them", (it) => {
  /** Stores a job that was offered some time ago. */
  const insert = Effect.fnUntraced(function* (
    queue: string,
    state: JobState,
    age: Duration.Input,
    organizationId = noOrganization
  ) {
    const sql = yield* SqlClient.SqlClient
    const hasEnded = state !== "pending" && state !== "running"
    const claim = state === "running" ? randomUUID() : null
    const id = JobId.make(randomUUID())
    yield* sql`
      INSERT INTO jobs (
        id, queue_name, organization_id, version, request_id, state, attempts, last_failure, payload, due_at, created_at,
        ended_at, claim_id, locked_at
      )
      VALUES (
        ${id}, ${queue}, ${organizationId}, 1, 'r-1', ${state}, 3, 'refused',
        ${state === "completed" || state === "cancelled" ? null : Buffer.from("sealed")},
        now() - ${Duration.toSeconds(Duration.fromInputUnsafe(age))}::int * interval '1 second',
        now() - ${Duration.toSeconds(Duration.fromInputUnsafe(age))}::int * interval '1 second',
        CASE WHEN ${hasEnded}::boolean THEN now() END, ${claim}, CASE WHEN ${claim}::uuid IS NOT NULL THEN now() END
      )
    `
    return id
  })

  const idsOf = (jobs: ReadonlyArray<ServiceJob>): ReadonlyArray<string> => jobs.map(({ id }) => id)

  it.effect("come newest first, page by page, and by state and queue", () =>
    Effect.gen(function* () {
      const { page } = yield* makeListedJobsRepo
      yield* (yield* SqlClient.SqlClient)`DELETE FROM jobs`
      const oldest = yield* insert("letters", "failed", "5 minutes")
      const older = yield* insert("letters", "completed", "4 minutes")
      const middle = yield* insert("parcels", "failed", "3 minutes")
      const newer = yield* insert("letters", "pending", "2 minutes")
      const youngest = yield* insert("letters", "running", "1 minute")

      const first = yield* page({}, newest, 2)
      assert.deepStrictEqual(idsOf(first), [youngest, newer])
      const { createdAt, id } = first[1] ?? assert.fail()
      assert.deepStrictEqual(idsOf(yield* page({}, { createdAt, id }, 10)), [middle, older, oldest])
      assert.deepStrictEqual(idsOf(yield* page({ state: "failed" }, newest, 10)), [middle, oldest])
      assert.deepStrictEqual(idsOf(yield* page({ state: "failed", queue: "letters" }, newest, 10)), [oldest])
      assert.deepStrictEqual(idsOf(yield* page({ queue: "nothing" }, newest, 10)), [])
    })
  )

  it.effect("come at the same cost however many there are, of a queue that has many and of one that has few", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { page } = yield* makeListedJobsRepo
      yield* sql`DELETE FROM jobs`
      const done = (queue: string, count: number) => sql`
        INSERT INTO jobs (id, queue_name, organization_id, version, request_id, state, due_at, ended_at, created_at)
        SELECT gen_random_uuid(), ${queue}, gen_random_uuid(), 1, 'r', 'completed', now(), now(), now() - n * interval '1 second'
        FROM generate_series(1, ${count}::int) n
      `
      const filters = [{}, { state: "completed" }, { queue: "many" }, { queue: "few" }, { queue: "none" }] as const
      const pages = readsOf(
        ["jobs"],
        Effect.forEach(filters, (filter) => page(filter, newest, 20))
      )
      const readsOfPages = Effect.forEach(["force_custom_plan", "force_generic_plan"], (mode) =>
        sql.withTransaction(Effect.andThen(sql`SET LOCAL plan_cache_mode = ${sql.literal(mode)}`, pages))
      )
      yield* done("many", 1000)
      yield* done("few", 10)
      const few = Math.max(...(yield* readsOfPages))
      yield* done("many", 5000)
      yield* sql`ANALYZE jobs`
      const many = Math.max(...(yield* readsOfPages))
      assert.isAbove(few, 60)
      assert.isAtMost(many, few)
    })
  )

  it.effect("show what became of them, and not what they carry", () =>
    Effect.gen(function* () {
      const { page } = yield* makeListedJobsRepo
      const id = yield* insert("shown", "failed", 0)
      const [job] = yield* page({ queue: "shown" }, newest, 1)
      assert.deepInclude(job, {
        id,
        queue: "shown",
        state: "failed",
        organizationId: null,
        attempts: 3,
        lastFailure: "refused",
        requestId: "r-1"
      })
      assert.sameMembers(
        Object.keys(job ?? {}),
        "id queue state organizationId attempts lastFailure requestId createdAt dueAt endedAt".split(" ")
      )
    })
  )

  it.effect("are repeated when they are dead-lettered, and only then, and once", () =>
    Effect.gen(function* () {
      const { find, retry } = yield* makeListedJobsRepo
      const failed = yield* insert("again", "failed", 0)
      const answers = yield* Effect.replicateEffect(retry(failed), 10, { concurrency: "unbounded" })
      const [retried, ...others] = answers.filter(Option.isSome).map(({ value }) => value)
      assert.deepInclude(retried, { id: failed, state: "pending", attempts: 0, endedAt: null })
      assert.isEmpty(others)
      for (const state of ["pending", "running", "completed", "cancelled"] as const) {
        const id = yield* insert("again", state, 0)
        assert.isTrue(Option.isNone(yield* retry(id)))
        assert.deepStrictEqual(Option.getOrUndefined(yield* find(id)), { state })
      }
    })
  )

  const scrape = Effect.gen(function* () {
    const response = yield* metricsWith([yield* makeJobGauges])
    const { body } = response
    return body._tag === "Uint8Array" ? Buffer.from(body.body).toString() : ""
  })

  it.effect(
    "are counted by mode, queue and state at a scrape, with the time for which the first pending job has been due",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { of } = yield* JobWakeUp
        of("idle")
        yield* insert("gauged", "pending", "100 seconds")
        yield* insert("gauged", "pending", "10 seconds")
        yield* insert("gauged", "running", "200 seconds")
        yield* insert("gauged", "failed", "300 seconds")
        yield* insert("gauged", "completed", "400 seconds")
        const sandbox = randomUUID()
        yield* sql`INSERT INTO test_organizations (organization_id) VALUES (${sandbox})`
        yield* insert("gauged", "pending", "1000 seconds", sandbox)
        yield* insert("gauged", "failed", "1 second", sandbox)
        yield* insert("gauged", "failed", "1 second", sandbox)
        const text = yield* scrape
        for (const line of [
          'jobs{mode="live",queue="gauged",state="pending"} 2',
          'jobs{mode="live",queue="gauged",state="running"} 1',
          'jobs{mode="live",queue="gauged",state="failed"} 1',
          'jobs{mode="test",queue="gauged",state="pending"} 1',
          'jobs{mode="test",queue="gauged",state="failed"} 2',
          'jobs{mode="live",queue="idle",state="pending"} 0',
          'jobs_overdue_seconds{mode="live",queue="idle"} 0'
        ]) {
          assert.include(text, line)
        }
        assert.notInclude(text, 'state="completed"')
        const ageOf = (mode: string) =>
          Number(new RegExp(`jobs_overdue_seconds\\{mode="${mode}",queue="gauged"\\} (\\S+)`).exec(text)?.[1])
        assert.isTrue(ageOf("live") >= 100 && ageOf("live") < 160, String(ageOf("live")))
        assert.isAtLeast(ageOf("test"), 1000)

        yield* sql`DELETE FROM jobs WHERE queue_name = 'gauged' AND state = 'pending'`
        const gauges = yield* scrape
        assert.include(gauges, 'mode="live",queue="gauged",state="failed"} 1')
        assert.notInclude(gauges, 'mode="live",queue="gauged",state="pending"} 2')
      })
  )

  it.effect("are left out of the metrics, and delay no scrape, while the database does not answer", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* Metric.update(Metric.counter("beside_jobs"), 1)
      assert.include(yield* scrape, "jobs_overdue_seconds")
      const [isLocked, isScraped] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const lock = Effect.all([sql`LOCK TABLE jobs`, Deferred.succeed(isLocked, undefined), Deferred.await(isScraped)])
      const locking = yield* Effect.forkChild(sql.withTransaction(lock))
      yield* Deferred.await(isLocked)
      const waiting = Effect.gen(function* () {
        // A statement that is interrupted before it reaches the database is not cancelled there.
        yield* until(countLockWaits(), (count) => count > 0)
        yield* TestClock.adjust("2 seconds")
        return yield* Effect.never
      })
      const without = yield* Effect.provide(Effect.raceFirst(scrape, waiting), TestClock.layer())
      assert.include(without, "beside_jobs")
      assert.notInclude(without, "jobs_overdue_seconds")
      yield* Deferred.succeed(isScraped, undefined)
      yield* Fiber.join(locking)
    })
  )
})

it.live("jobs are counted on background connections, and listed on request connections", () =>
  Effect.gen(function* () {
    const { slow, sql, whileSlow } = yield* makePools(1)
    const { counts, page } = yield* Effect.provideService(makeListedJobsRepo, SqlClient.SqlClient, sql)
    assert.deepStrictEqual(yield* whileSlow([slow], counts), [])
    assert.deepStrictEqual(yield* whileSlow([inBackground(slow)], page({}, newest, 1)), [])
  }).pipe(Effect.scoped)
)
