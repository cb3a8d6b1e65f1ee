import { randomUUID } from "node:crypto"
import type { ServiceName } from "@care/domain/peers"
import { commonKeptTables } from "@care/service"
import { organizationTables } from "@care/service-kit"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { keptTables as keptInAuth } from "../../services/auth/src/organizations/reset/keptTables.ts"
import { keptTables as keptInCases } from "../../services/cases/src/keptTables.ts"
import { keptTables as keptInPayments } from "../../services/payments/src/keptTables.ts"
import { contracts } from "../operations/contracts.ts"
import { book, bookingBody, openSlot } from "./harness/appointments.ts"
import { admin, call } from "./harness/call.ts"
import { inDatabase, inEveryDatabase } from "./harness/database.ts"
import { addEndpoint, endpoints } from "./harness/endpoints.ts"
import { type Clinic, caseBody, createCase, makeClinic, makeSandbox } from "./harness/fixtures.ts"
import { fixturesOf } from "./harness/fixturesOf.ts"
import { jobsOf, untilAllEnded } from "./harness/jobsOf.ts"
import { receiveEvents } from "./harness/receiveEvents.ts"
import { Suite } from "./harness/Suite.ts"
import { markedPatients, marks, sendMarkedRequests } from "./harness/sendMarkedRequests.ts"
import { messagesTo, sendCode } from "./harness/signIn.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

const path = "/api/v1/test/reset"

const reset = ({ key }: Pick<Clinic, "key">) => call("POST", path, { key })

const newSandbox = Effect.flatMap(makeClinic, makeSandbox)

// What fills the tables: no erasure, and no operation of sandboxes.
const filling = contracts
  .filter(({ id, method }) => method !== "GET" && !/erase|removeUser|^test|^simulations/.test(id))
  .map(({ id }) => id)

// What a sandbox has: the number of its rows in each table.
const tablesOf = ({ organizationId }: Pick<Clinic, "organizationId">) =>
  inEveryDatabase((sql, service) =>
    Effect.flatMap(organizationTables(sql, service), (tables) =>
      Effect.forEach(tables, ({ name }) =>
        Effect.map(
          sql.unsafe<{ rows: number }>(
            `SELECT count(*)::int AS rows FROM ${service}."${name}" WHERE organization_id = $1::uuid`,
            [organizationId]
          ),
          ([found]) => ({ table: `${service}.${name}`, rows: found?.rows ?? 0 })
        )
      )
    )
  ).pipe(Effect.map((tables) => new Map(tables.flatMap(({ rows, table }) => (rows > 0 ? [[table, rows]] : [])))))

// Without what the suite itself adds meanwhile.
const countsOf = (clinic: Pick<Clinic, "organizationId">) =>
  Effect.map(tablesOf(clinic), (tables) =>
    [...tables].filter(([table]) => !/\.(?:audit_\w+|request_log\w*|stored_amounts)$/.test(table))
  )

const kept = [
  "auth.api_keys",
  "auth.passkey_challenges",
  "auth.passkeys",
  "auth.recovery_codes",
  "auth.staff_sessions",
  "auth.test_organizations",
  "auth.users",
  "cases.bundle_products",
  "cases.bundles",
  "cases.delivery_queues",
  "cases.form_questions",
  "cases.forms",
  "cases.organization_snapshots",
  "cases.people",
  "cases.products",
  "cases.test_organizations",
  "cases.webhook_endpoints",
  "payments.promo_code_terms",
  "payments.promo_codes",
  "payments.test_organizations",
  "scheduling.test_organizations"
]

// Jobs that ended have no payload, and the request log has the reset itself.
const isLeft = (table: string) => !kept.includes(table) && !/\.(?:audit_\w+|jobs|request_log\w*)$/.test(table)

testsOn(Suite.layer, "the reset of a sandbox that did everything", (it) => {
  it("leaves keys, members, webhook endpoints, the catalogue and the audit, and nothing else", function* () {
    const live = yield* makeClinic
    yield* createCase(live, caseBody(live))
    // The fixtures know the accounts of live organizations, so that this one becomes a sandbox when all is there.
    const filled = yield* makeClinic
    yield* sendMarkedRequests(filled, yield* fixturesOf(filled, markedPatients()), marks, filling)
    for (const clinic of [live, filled]) yield* untilAllEnded(clinic)
    yield* inDatabase(
      "auth",
      (sql) => sql`
        UPDATE auth.organizations SET live_organization_id = ${live.organizationId} WHERE id = ${filled.organizationId}
      `
    )
    const sandbox = yield* makeSandbox(live)
    assert.strictEqual(sandbox.organizationId, filled.organizationId)
    const [liveBefore, before] = [yield* countsOf(live), yield* tablesOf(sandbox)]
    assert.isAbove([...before.keys()].filter(isLeft).length, 25)
    const answer = yield* reset(sandbox)
    assert.strictEqual(answer.status, 200)
    assert.closeTo(Date.parse(answer.json.data.now), Date.now(), 5000)
    const after = yield* tablesOf(sandbox)
    assert.deepStrictEqual([...after.keys()].filter(isLeft), [])
    assert.includeMembers([...after.keys()], kept)
    for (const [table, rows] of after)
      if (table.includes(".audit_entries")) assert.isAtLeast(rows, before.get(table) ?? 0)
    const [left] = yield* inDatabase(
      "auth",
      (sql) => sql<{ patients: number }>`
        SELECT count(*) FILTER (WHERE role = 'USER')::int AS patients FROM auth.users
        WHERE organization_id = ${sandbox.organizationId}
      `
    )
    assert.strictEqual(left?.patients, 0)
    const jobs = yield* jobsOf(sandbox)
    assert.deepStrictEqual(
      jobs.filter(({ state }) => !/completed|cancelled/.test(state)),
      []
    )
    assert.deepStrictEqual(yield* countsOf(live), liveBefore)
  })
})

testsOn(Suite.shared, "the reset of a sandbox", (it) => {
  it("keeps tables that exist, and can remove the rows of all others", function* () {
    const keptTables = { auth: keptInAuth, cases: keptInCases, payments: keptInPayments, scheduling: {} }
    const tables = yield* inEveryDatabase((sql, service) =>
      Effect.map(organizationTables(sql, service), (all) => all.map((table) => ({ ...table, service })))
    )
    const owned = tables.filter(({ name }) => !name.startsWith("audit_"))
    for (const [service, names] of Object.entries(keptTables)) {
      const known = owned.filter((table) => table.service === service).map(({ name }) => name)
      assert.includeMembers(known, [...Object.keys(names), ...Object.keys(commonKeptTables)])
    }
    assert.isAbove(owned.length, 60)
    const isRemoved = (service: keyof typeof keptTables, name: string) => !Object.hasOwn(keptTables[service], name)
    assert.deepStrictEqual(
      owned.filter(({ key, mayRemove, name, service }) => isRemoved(service, name) && (key.length === 0 || !mayRemove)),
      []
    )
  })

  it("makes it as new: the same patient can begin again, and its webhook endpoint gets the events", function* () {
    const sandbox = yield* newSandbox
    const receiver = yield* receiveEvents
    const { id: endpointId } = yield* addEndpoint(sandbox, { url: receiver.url, eventTypes: ["case.created"] })
    const readEndpoint = Effect.map(
      call("GET", `/api/v1/webhook-endpoints/${endpointId}`, { key: sandbox.key }),
      ({ json }) => json.data
    )
    const body = caseBody(sandbox)
    const headers = { "idempotency-key": "first-steps" }
    const send = call("POST", "/api/v1/cases", { key: sandbox.key, body, headers })
    const first: string = (yield* send).json.data.caseId
    yield* until(
      Effect.sync(() => receiver.received.length),
      (length) => length === 1
    )
    yield* sendCode(sandbox.key, { email: body.user.email })
    assert.strictEqual((yield* book(sandbox, bookingBody(body.user.email, yield* openSlot(sandbox)))).status, 200)
    yield* call("POST", "/api/v1/test/clock/advance", { key: sandbox.key, body: { by: "P40D" } })
    const failing = { step: "WEBHOOKS_FAIL", for: "P90D" }
    const failed = yield* call("POST", `/api/v1/test/cases/${first}/simulate`, { key: sandbox.key, body: failing })
    assert.strictEqual(failed.status, 200)
    yield* createCase(sandbox, caseBody(sandbox))
    yield* until(readEndpoint, ({ failingSince }) => failingSince !== null)
    assert.isNotEmpty(yield* messagesTo(body.user.email))
    const answer = yield* reset(sandbox)
    assert.strictEqual(answer.status, 200)
    assert.closeTo(Date.parse(answer.json.data.now), Date.now(), 5000)
    const clock = yield* call("GET", "/api/v1/test/clock", { key: sandbox.key })
    assert.closeTo(Date.parse(clock.json.data.now), Date.now(), 5000)
    assert.closeTo(Date.parse(clock.headers.get("care-clock") ?? ""), Date.now(), 5000)
    assert.deepStrictEqual((yield* call("GET", "/api/v1/cases", { key: sandbox.key })).json.data, [])
    assert.deepStrictEqual((yield* call("GET", "/api/v1/test/messages", { key: sandbox.key })).json.data, [])
    // Before the case begins again, of which its patient is told.
    assert.deepStrictEqual(yield* messagesTo(body.user.email), [])
    assert.isNull((yield* readEndpoint).failingSince)
    const again = yield* send
    assert.strictEqual(again.status, 200)
    assert.notStrictEqual(again.json.data.caseId, first)
    yield* until(
      Effect.sync(() => receiver.received.length),
      (length) => length === 2
    )
    const detail = yield* until(
      admin("GET", `/cases/${again.json.data.caseId}`),
      ({ json }) => json.status === "ASSIGNED"
    )
    assert.strictEqual(detail.status, 200)
  })

  it("is recorded as done by a key, as moves of the clock and simulated steps are, and removes no record", function* () {
    const sandbox = yield* newSandbox
    const caseId: string = (yield* createCase(sandbox, caseBody(sandbox))).json.data.caseId
    yield* until(admin("GET", `/cases/${caseId}`), ({ json }) => json.status === "ASSIGNED")
    yield* call("POST", "/api/v1/test/clock/advance", { key: sandbox.key, body: { by: "P1D" } })
    yield* call("POST", `/api/v1/test/cases/${caseId}/simulate`, { key: sandbox.key, body: { step: "START" } })
    assert.strictEqual((yield* reset(sandbox)).status, 200)
    for (const action of ["CASE_CREATED", "CLOCK_ADVANCED", "STEP_SIMULATED", "SANDBOX_RESET"]) {
      const records = yield* until(
        call("GET", `/api/v1/audit-records?action=${action}`, { key: sandbox.key }),
        ({ json }) => json.data.length > 0
      )
      assert.deepStrictEqual(records.json.data[0].actor, { type: "API_KEY", id: sandbox.keyId }, action)
      assert.closeTo(Date.parse(records.json.data[0].at), Date.now(), 60_000, "by the real time")
      assert.lengthOf(records.json.data, 1)
    }
  })

  it("forgets that a webhook endpoint failed, which is shown by the sandbox's clock until then", function* () {
    const sandbox = yield* newSandbox
    const receiver = yield* receiveEvents
    const caseId: string = (yield* createCase(sandbox, caseBody(sandbox))).json.data.caseId
    const advance = (by: string) => call("POST", "/api/v1/test/clock/advance", { key: sandbox.key, body: { by } })
    yield* advance("P40D")
    const failing = { step: "WEBHOOKS_FAIL", for: "P90D" }
    yield* call("POST", `/api/v1/test/cases/${caseId}/simulate`, { key: sandbox.key, body: failing })
    const { id } = yield* addEndpoint(sandbox, { url: receiver.url })
    yield* endpoints("POST", sandbox, `/${id}/test`)
    const read = endpoints("GET", sandbox, `/${id}`)
    const failed = yield* until(read, ({ json }) => json.data.failingSince !== null)
    const since = Date.parse(failed.json.data.failingSince)
    assert.closeTo(since, Date.parse(failed.headers.get("care-clock") ?? ""), 60_000)
    yield* advance("PT1H")
    assert.closeTo(Date.parse((yield* read).json.data.failingSince), since, 10)
    yield* reset(sandbox)
    assert.deepInclude((yield* read).json.data, { enabled: true, failingSince: null })
  })

  it("is refused to live keys, and while the clock moves", function* () {
    const live = yield* makeClinic
    const sandbox = yield* makeSandbox(live)
    yield* createCase(live, caseBody(live))
    yield* untilAllEnded(live)
    const before = yield* countsOf(live)
    const refused = yield* reset(live)
    assert.deepStrictEqual([refused.status, refused.json.error], [403, "This operation needs a test key (cv_test_...)"])
    assert.deepStrictEqual(yield* countsOf(live), before)
    yield* createCase(sandbox, caseBody(sandbox))
    const target = new Date(Date.now() + 1e7)
    const jobId = randomUUID()
    // A move with a job that is not due yet.
    yield* inDatabase(
      "auth",
      (sql) => sql`
        WITH job AS (
          INSERT INTO auth.jobs (id, queue_name, organization_id, version, payload, request_id, due_at)
          VALUES (${jobId}, 'clock-advance', ${sandbox.organizationId}, 1, '', 'r-1', ${target})
        )
        INSERT INTO auth.clock_advances (organization_id, id, state, begins, target, reached, steps, begun_at)
        VALUES (${sandbox.organizationId}, gen_random_uuid(), 'MOVING', now(), ${target}, now(), 0, now())
      `
    )
    const moving = yield* reset(sandbox)
    assert.strictEqual(moving.status, 409)
    assert.include(moving.json.error, target.toISOString())
    assert.lengthOf((yield* call("GET", "/api/v1/cases", { key: sandbox.key })).json.data, 1)
    // Its job fails for the last time, and nobody can store that the move has stopped.
    yield* inDatabase("auth", (sql) => sql`UPDATE auth.jobs SET state = 'failed', ended_at = now() WHERE id = ${jobId}`)
    assert.strictEqual((yield* reset(sandbox)).status, 200)
    assert.lengthOf((yield* call("GET", "/api/v1/cases", { key: sandbox.key })).json.data, 0)
  })

  it("leaves nothing of what goes on meanwhile, which is done wholly before or after it, or not at all", function* () {
    const sandbox = yield* newSandbox
    const receiver = yield* receiveEvents
    yield* addEndpoint(sandbox, { url: receiver.url })
    const order = Effect.fnUntraced(function* () {
      const created = yield* createCase(sandbox, caseBody(sandbox))
      if (created.status === 200) yield* sendCode(sandbox.key, { email: created.json.data.user?.email ?? "" })
      return created
    })
    const work = Effect.forEach(Array.from({ length: 80 }), order, { concurrency: 8 })
    const resets = Effect.forEach(Array.from({ length: 6 }), () => reset(sandbox))
    const [created, answers] = yield* Effect.all([work, resets], { concurrency: 2 })
    for (const { status } of answers) assert.strictEqual(status, 200)
    for (const { status } of created) assert.include([200, 503], status)
    yield* untilAllEnded(sandbox)
    const [stored] = yield* inDatabase(
      "cases",
      (sql) => sql<{ cases: ReadonlyArray<string>; users: ReadonlyArray<string> }>`
        SELECT coalesce(array_agg(id::text), '{}') AS cases, coalesce(array_agg(user_id::text), '{}') AS users
        FROM cases.cases WHERE organization_id = ${sandbox.organizationId}
      `
    )
    const members = yield* inDatabase(
      "auth",
      (sql) => sql<{ id: string }>`
        SELECT id FROM auth.users WHERE organization_id = ${sandbox.organizationId} AND role <> 'USER'
      `
    )
    const cases = new Set(stored?.cases)
    const users = new Set([...(stored?.users ?? []), ...members.map(({ id }) => id)])
    const columns = yield* inEveryDatabase(
      (sql, service) => sql<{ table: string; column: string; service: ServiceName }>`
        SELECT relname AS table, attname AS column, ${service} AS service FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
        WHERE relnamespace = ${service}::regnamespace AND relkind = 'r' AND attname IN ('case_id', 'user_id')
          AND NOT attisdropped AND relname NOT LIKE 'audit%'
      `
    )
    assert.isAbove(columns.length, 20)
    for (const { column, service, table } of columns) {
      const found = yield* inDatabase(service, (sql) =>
        sql.unsafe<{ id: string }>(
          `SELECT DISTINCT ${column}::text AS id FROM ${service}."${table}" WHERE organization_id = $1::uuid AND ${column} IS NOT NULL`,
          [sandbox.organizationId]
        )
      )
      const known = column === "case_id" ? cases : users
      assert.deepStrictEqual(
        found.filter(({ id }) => !known.has(id)),
        [],
        `${service}.${table}.${column}`
      )
    }
  })

  it("of others leaves a sandbox alone", function* () {
    const [sandbox, other] = [yield* newSandbox, yield* newSandbox]
    const { json } = yield* createCase(other, caseBody(other))
    assert.strictEqual((yield* reset(sandbox)).status, 200)
    const detail = yield* call("GET", `/api/v1/customer-case-detail?caseId=${json.data.caseId}`, { key: other.key })
    assert.strictEqual(detail.status, 200)
  })
})
