import { roleName, services } from "@care/sandbox"
import { defaultConnections } from "@care/service-kit"
import { assert } from "@effect/vitest"
import { Clock, DateTime, Effect, Fiber, Schedule } from "effect"
import { type Answer, admin, call } from "./harness/call.ts"
import { casesOf } from "./harness/claims.ts"
import { inDatabase } from "./harness/database.ts"
import { type Clinic, caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { expireLocks, haveAllEnded, type JobRow, jobsOf } from "./harness/jobsOf.ts"
import { killService } from "./harness/killService.ts"
import { alternating, layerInstances, refusedConnections, throughSecond } from "./harness/layerInstances.ts"
import { metricsOf } from "./harness/metricsOf.ts"
import { newPayment } from "./harness/references.ts"
import { Suite } from "./harness/Suite.ts"
import { codeSentTo, refresh, sendCode, verifyCode } from "./harness/signIn.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

// Creates a case with a new patient and a payment at the Stripe of its suite.
const createWithPayment = (clinic: Clinic) =>
  Effect.flatMap(newPayment, (payment) => createCase(clinic, caseBody(clinic, { payment })))

// Creates an abandoned case, because payments learns of its payment only by a job.
const abandonWithPayment = (clinic: Clinic) =>
  Effect.suspend(() => {
    const payment = { providerReference: { type: "SETUP_INTENT", id: "seti_1" } }
    return createCase(clinic, caseBody(clinic, { status: "ABANDONED", payment }))
  })

const caseIdOf = ({ json }: Answer): string => json.data.caseId

const isBeingRecorded = ({ queue, state }: JobRow) => queue === "payment-recording" && state === "running"

const paymentsOf = ({ organizationId }: Clinic) =>
  inDatabase(
    "payments",
    (sql) => sql<{ case_id: string }>`
      SELECT case_id FROM payments.payments WHERE organization_id = ${organizationId} ORDER BY case_id
    `
  ).pipe(Effect.map((rows) => rows.map(({ case_id }) => case_id)))

const caseIdsOf = (clinic: Clinic) => Effect.map(casesOf(clinic), (rows) => rows.map(({ id }) => id).sort())

const winnersOf = (answers: ReadonlyArray<Answer>) => answers.filter(({ status }) => status === 200)

testsOn(layerInstances, "two instances of everything on one database", (it) => {
  it("scheduled work is offered by both, and done once a period", function* () {
    yield* inDatabase("auth", (sql) => sql`CREATE EXTENSION IF NOT EXISTS pg_stat_statements`)
    for (const service of services) {
      const scheduled = inDatabase(service, (sql) =>
        Effect.all({
          jobs: sql`
                SELECT key, state, attempts, floor(extract(epoch FROM created_at) / 3600)::text AS period
                FROM ${sql(service)}.jobs WHERE queue_name = 'cleanup'
              `,
          offers: sql<{ calls: number }>`
                SELECT sum(calls)::int AS calls FROM pg_stat_statements JOIN pg_roles r ON r.oid = userid
                WHERE r.rolname = ${roleName("postgres", service)} AND query LIKE 'INSERT INTO jobs%'
              `
        })
      )
      const { jobs } = yield* until(
        scheduled,
        ({ jobs, offers }) => jobs.every(({ state }) => state === "completed") && (offers[0]?.calls ?? 0) >= 2
      )
      assert.isAtLeast(jobs.length, 1)
      assert.strictEqual(new Set(jobs.map(({ period }) => period)).size, jobs.length)
      for (const job of jobs) assert.deepInclude(job, { key: job["period"], attempts: 1 })
    }
  })

  it("60 cases with payments, half of them through each: every job is done once, by either instance", function* () {
    const clinic = yield* makeClinic
    const { organizationId } = clinic
    for (const name of ["one", "two", "three"]) {
      const member = { firstName: "Jane", lastName: "Rivera", role: "PROVIDER", title: "Dr.", titleSuffix: "MD" }
      const email = `${name}.${organizationId}@example.com`
      yield* admin("POST", `/organizations/${organizationId}/members`, { ...member, email, npi: "1234567893" })
    }
    const created = yield* alternating(60, createWithPayment(clinic))
    const caseIds = created.map(caseIdOf).sort()
    assert.strictEqual(new Set(caseIds).size, 60)

    const jobs = yield* until(jobsOf(clinic), haveAllEnded)
    const countOf = (name: string) => jobs.filter(({ queue }) => queue === name).length
    assert.deepStrictEqual([countOf("payment-recording"), countOf("assignment")], [60, 60])
    for (const job of jobs) assert.deepInclude(job, { state: "completed", attempts: 1, crashes: 0 })
    assert.deepStrictEqual(yield* paymentsOf(clinic), caseIds)
    const loads = yield* inDatabase(
      "cases",
      (sql) => sql`
            SELECT case_count, (
              SELECT count(*)::int FROM cases.cases c
              WHERE c.organization_id = l.organization_id AND c.assigned_to = l.provider_id AND c.status = 'ASSIGNED'
            ) AS counted
            FROM cases.provider_loads l WHERE organization_id = ${organizationId}
          `
    )
    assert.deepStrictEqual(
      loads,
      Array.from({ length: 3 }, () => ({ case_count: 20, counted: 20 }))
    )

    const recorded = Effect.flatMap(Suite, ({ urls }) => metricsOf(urls.payments)).pipe(
      Effect.map((text) => Number(/_count\{.*case-payments".*\} (\d+)/.exec(text)?.[1] ?? 0))
    )
    assert.isAbove(yield* recorded, 0)
    assert.isAbove(yield* throughSecond(recorded), 0)
  })

  it("20 callers with one Idempotency-Key, half of them through each: one case, one answer", function* () {
    const clinic = yield* makeClinic
    const create = call("POST", "/api/v1/cases", {
      key: clinic.key,
      body: caseBody(clinic),
      headers: { "idempotency-key": "once" }
    })
    const [first, ...others] = yield* alternating(20, create)
    assert.strictEqual(first?.status, 200)
    for (const { json, status } of others) assert.deepStrictEqual([status, json], [200, first?.json])
    assert.lengthOf(yield* casesOf(clinic), 1)
  })

  it("20 callers with one code, and with one refresh token, half of them through each: one wins", function* () {
    const clinic = yield* makeClinic
    const body = caseBody(clinic)
    yield* createCase(clinic, body)
    const { email } = body.user
    yield* sendCode(clinic.key, { email })
    const code = yield* throughSecond(codeSentTo(email))
    const [signedIn, ...noOthers] = winnersOf(yield* alternating(20, verifyCode(clinic.key, { email, code })))
    assert.deepStrictEqual([signedIn?.status, noOthers], [200, []])
    assert.lengthOf(winnersOf(yield* alternating(20, refresh(clinic.key, signedIn?.json.refreshToken))), 1)
  })

  it("a change of a patient through one shows in the next read through the other", function* () {
    const clinic = yield* makeClinic
    const body = caseBody(clinic)
    const caseId = caseIdOf(yield* createCase(clinic, body))
    const { email } = body.user
    const rename = (firstName: string) =>
      call("POST", "/api/v1/users", {
        key: clinic.key,
        body: { action: "UPDATE_PROFILE", data: { email, firstName } }
      })
    const visible = Effect.map(
      call("GET", `/api/v1/customer-case-detail?caseId=${caseId}`, { key: clinic.key }),
      ({ json }) => json.caseDetail.submitter.firstName
    )
    for (const number of [1, 2, 3, 4, 5]) {
      yield* rename(`Ana ${number}`)
      assert.strictEqual(yield* throughSecond(visible), `Ana ${number}`)
      yield* throughSecond(rename(`Berta ${number}`))
      assert.strictEqual(yield* visible, `Berta ${number}`)
    }
  })

  it("a key that is revoked through one is refused by both within 5 seconds", function* () {
    const clinic = yield* makeClinic
    const use = call("GET", "/api/v1/organization/bundles", { key: clinic.key })
    assert.deepStrictEqual([(yield* use).status, (yield* throughSecond(use)).status], [200, 200])
    const revoked = yield* admin("DELETE", `/api-keys/${clinic.keyId}`)
    assert.strictEqual(revoked.status, 204)
    const since = yield* Clock.currentTimeMillis
    const untilRefused = Effect.gen(function* () {
      while (true) {
        const began = yield* Clock.currentTimeMillis
        const { json, status } = yield* use
        if (status !== 200) return json
        assert.isBelow(began - since, 5000)
        yield* Effect.sleep("50 millis")
      }
    })
    for (const json of yield* alternating(2, untilRefused)) assert.deepInclude(json, { status: 400 })
  })

  it("PostgreSQL has a connection for everybody, also when both have all in use that they may have", function* () {
    const clinic = yield* makeClinic
    const body = caseBody(clinic)
    yield* createCase(clinic, body)
    const { key } = clinic
    const { backgroundConnections, connections } = defaultConnections
    const requests = Effect.all(
      [
        alternating(4 * connections, call("GET", `/api/v1/check-user?email=${body.user.email}`, { key })),
        alternating(4 * connections, call("GET", `/api/v1/customer-latest-case-id?email=${body.user.email}`, { key }))
      ],
      { concurrency: "unbounded" }
    )
    const measuring = alternating(
      4 * backgroundConnections,
      Effect.flatMap(Suite, ({ urls }) => Effect.all([metricsOf(urls.auth), metricsOf(urls.cases)], { concurrency: 2 }))
    )
    const waiting = inDatabase(
      "auth",
      (sql) => sql<{ name: string; count: number }>`
            SELECT application_name AS name, count(*)::int AS count FROM pg_stat_activity
            WHERE wait_event_type = 'Lock' GROUP BY application_name ORDER BY application_name
          `
    )
    const answering = yield* inDatabase("auth", (sql) =>
      sql.withTransaction(
        Effect.gen(function* () {
          // The job gauges use the background connections.
          yield* sql`LOCK TABLE auth.users, auth.jobs, cases.cases, cases.jobs IN ACCESS EXCLUSIVE MODE`
          const answering = yield* Effect.forkChild(requests)
          yield* Effect.forkScoped(Effect.forever(measuring))
          const all = 2 * (connections + backgroundConnections)
          yield* until(waiting, (services) => services.filter(({ count }) => count === all).length === 2)
          return answering
        })
      )
    )
    for (const { status } of (yield* Fiber.join(answering)).flat()) assert.strictEqual(status, 200)
    assert.deepStrictEqual(yield* refusedConnections, [])
  })

  it("one of each service is killed under load: the other goes on, what was accepted is there, and its jobs are done", function* () {
    const clinic = yield* makeClinic
    const answers: Readonly<Record<"first" | "second", Array<Answer>>> = { first: [], second: [] }
    let isOver = false
    const create = abandonWithPayment(clinic)
    const fourCallers = <R>(request: Effect.Effect<Answer, never, R>, into: Array<Answer>) => {
      const keepOn = Effect.map(request, (answer) => into.push(answer)).pipe(
        Effect.repeat({ until: () => isOver, schedule: Schedule.spaced("10 millis") })
      )
      return Effect.all([keepOn, keepOn, keepOn, keepOn], { concurrency: "unbounded" })
    }
    const load = Effect.all([fourCallers(create, answers.first), fourCallers(throughSecond(create), answers.second)], {
      concurrency: "unbounded"
    })
    yield* inDatabase("payments", (sql) =>
      sql.withTransaction(
        Effect.gen(function* () {
          // So that each instance has two running jobs when one is killed.
          yield* sql`LOCK TABLE payments.payments IN EXCLUSIVE MODE`
          const callers = yield* Effect.forkChild(load)
          yield* until(jobsOf(clinic), (jobs) => jobs.filter(isBeingRecorded).length === 4 && answers.second.length > 0)
          yield* throughSecond(Effect.forEach(services, killService))
          const { length } = answers.first
          yield* until(
            Effect.sync(() => answers.first.length),
            (count) => count > length + 10
          )
          isOver = true
          yield* Fiber.join(callers)
        })
      )
    )
    assert.deepStrictEqual(new Set(answers.first.map(({ status }) => status)), new Set([200]))
    for (const { json, status } of answers.second) {
      if (status !== 200) assert.deepInclude(json, { status: 503 })
    }
    const accepted = winnersOf([...answers.first, ...answers.second]).map(caseIdOf)
    assert.isAbove(winnersOf(answers.second).length, 0)
    assert.includeMembers(yield* caseIdsOf(clinic), accepted)

    const expire = expireLocks(yield* DateTime.nowAsDate)
    const jobs = yield* until(Effect.andThen(expire, jobsOf(clinic)), haveAllEnded)
    assert.isAtLeast(jobs.filter(({ crashes }) => crashes === 1).length, 2)
    assert.deepStrictEqual(new Set(jobs.map(({ state }) => state)), new Set(["completed"]))
    assert.deepStrictEqual(yield* paymentsOf(clinic), yield* caseIdsOf(clinic))
    assert.deepStrictEqual(yield* refusedConnections, [])
  })
})
