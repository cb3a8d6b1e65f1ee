import { randomUUID } from "node:crypto"
import type { ServiceName } from "@care/domain/peers"
import { assert } from "@effect/vitest"
import { Array as Arr, DateTime, Effect, Fiber } from "effect"
import { calendarEvent, createEvent } from "./harness/calendar.ts"
import { admin, call } from "./harness/call.ts"
import { inDatabase, inEveryDatabase } from "./harness/database.ts"
import { erase } from "./harness/erasures.ts"
import { type Clinic, caseBody, createCase, makeClinic, newPatient, weightQuestion } from "./harness/fixtures.ts"
import { expireLocks, untilJobsEnd } from "./harness/jobsOf.ts"
import { killService } from "./harness/killService.ts"
import { layerProcesses } from "./harness/layerProcesses.ts"
import { openEverything } from "./harness/openEverything.ts"
import { saveMethod } from "./harness/saveMethod.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

/** Makes a patient with data in each service that contains the patient's own marker. */
const makePatient = Effect.fnUntraced(function* (clinic: Clinic, status: string) {
  const mark = `mark${randomUUID().replaceAll("-", "")}`
  const user = { ...newPatient(), lastName: mark }
  const form = { title: "Intake", questions: [{ ...weightQuestion, answer: mark }] }
  const body = caseBody(clinic, { user, status, products: [{ id: clinic.productId, form }] })
  const caseId: string = (yield* createCase(clinic, body)).json.data.caseId
  yield* createEvent(clinic, caseId, calendarEvent({ title: mark }))
  yield* call("POST", `/api/v1/cases/${caseId}/payments`, { key: clinic.key, body: { amount: 10, description: mark } })
  yield* saveMethod(clinic, caseId, "pm_card_visa")
  const userId: string = (yield* admin("GET", `/cases/${caseId}`)).json.submitter.id
  return { userId, mark, email: user.email }
})
type Patient = Effect.Success<ReturnType<typeof makePatient>>

const together = { concurrency: "unbounded" } as const

const everywhere = ["auth.users", "cases.form_responses", "payments.payments", "scheduling.calendar_events"]

const tablesWith = (text: string) =>
  Effect.map(openEverything, (tables) => Object.keys(tables).filter((table) => tables[table]?.includes(text)))

/** Kills a service while requests wait for a locked table, so that their transactions are rolled back. Returns the result of the work. */
const killedWhileWaitingFor = <A, E, R>(
  owner: ServiceName,
  table: string,
  service: ServiceName,
  work: Effect.Effect<A, E, R>
) =>
  inDatabase(owner, (sql) =>
    sql.withTransaction(
      Effect.gen(function* () {
        // The lock blocks writes; scheduling only reads calendar events, so reads are blocked there, too.
        const mode = table === "calendar_events" ? "ACCESS EXCLUSIVE" : "EXCLUSIVE"
        yield* sql.unsafe(`LOCK TABLE ${owner}.${table} IN ${mode} MODE`)
        const working = yield* Effect.forkChild(work)
        const waiting = sql<{ pid: number }>`
          SELECT pid FROM pg_locks WHERE relation = ${`${owner}.${table}`}::regclass AND NOT granted
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        `
        yield* until(waiting, ({ length }) => length >= 2)
        yield* killService(service)
        // Ends the sessions of the dead process, because PostgreSQL would finish their statements first.
        for (const { pid } of yield* waiting) yield* sql`SELECT pg_terminate_backend(${pid}::integer)`
        return working
      })
    )
  ).pipe(Effect.orDie, Effect.flatMap(Fiber.join))

/** The state of an erasure after the kill: undone, so that the caller has to repeat it; repeated by the caller; or left to the jobs. */
type Rest = "undone" | "asked again" | "left"

interface Step {
  readonly killed: ServiceName
  /** The table of the service that is locked until it is dead. */
  readonly table: string
  /** Whether each of the erasures is forced. */
  readonly rests: readonly [Rest, Rest]
  readonly isForced: readonly [boolean, boolean]
}

const both = [true, true] as const
const trueThenFalse = [true, false] as const

const steps: Readonly<Record<string, Step>> = {
  "auth, before it has decided, and after cases has": {
    ...{ killed: "auth", table: "patient_keys", isForced: trueThenFalse, rests: ["undone", "left"] }
  },
  "cases, before its key is destroyed, and before it decides": {
    ...{ killed: "cases", table: "patient_keys", isForced: trueThenFalse, rests: ["left", "undone"] }
  },
  "cases, between its key and its cases, and while it decides": {
    ...{ killed: "cases", table: "cases", isForced: trueThenFalse, rests: ["asked again", "undone"] }
  },
  "payments, before its key is destroyed": {
    ...{ killed: "payments", table: "patient_keys", isForced: both, rests: ["left", "asked again"] }
  },
  "payments, between its key and its methods": {
    ...{ killed: "payments", table: "saved_methods", isForced: both, rests: ["left", "asked again"] }
  },
  "scheduling, before its key is destroyed": {
    ...{ killed: "scheduling", table: "patient_keys", isForced: both, rests: ["left", "asked again"] }
  },
  "scheduling, between its key and its jobs": {
    ...{ killed: "scheduling", table: "calendar_events", isForced: both, rests: ["left", "asked again"] }
  }
}

testsOn(layerProcesses, "an erasure comes to its end", (it) => {
  const ready = until(call("GET", "/health/ready"), ({ json }) => json.status === "ready")

  const isErased = Effect.fnUntraced(function* ({ email, mark, userId }: Patient) {
    const remaining = yield* inEveryDatabase(
      (sql, service) => sql<{ count: number }>`
        SELECT count(*)::int AS count FROM ${sql(`${service}.patient_keys`)} WHERE user_id = ${userId} AND wrapped IS NULL
      `
    )
    assert.deepStrictEqual(
      remaining.map(({ count }) => count),
      [1, 1, 1, 1]
    )
    for (const text of [mark, email]) assert.deepStrictEqual(yield* tablesWith(text), [])
    const audited = yield* Effect.all({
      audit: inDatabase(
        "auth",
        (sql) => sql`
          SELECT FROM auth.audit_entries WHERE user_id = ${userId} AND action = 'PATIENT_ERASED'
          UNION ALL SELECT FROM auth.audit_waiting WHERE user_id = ${userId} AND action = 'PATIENT_ERASED'
        `
      ),
      open: inDatabase("cases", (sql) => sql`SELECT FROM cases.cases WHERE user_id = ${userId} AND NOT is_archived`),
      methods: inDatabase("payments", (sql) => sql`SELECT FROM payments.saved_methods WHERE user_id = ${userId}`),
      names: inDatabase("auth", (sql) => sql<{ email: string }>`SELECT email FROM auth.users WHERE id = ${userId}`),
      shown: inDatabase("cases", (sql) => sql<{ email: string }>`SELECT email FROM cases.people WHERE id = ${userId}`)
    })
    const nobody = [{ email: `erased-${userId}@erased.invalid` }]
    assert.deepStrictEqual(audited, { audit: [{}], open: [], methods: [], names: nobody, shown: nobody })
  })

  const eraseAgain = ({ userId }: Patient, isForced: boolean) =>
    until(erase(userId, isForced), ({ json, status }) => status === 200 && json.pending.length === 0)

  for (const [where, { isForced, killed, rests, table }] of Object.entries(steps)) {
    it(`when ${where}, is killed`, function* () {
      const clinic = yield* makeClinic
      const patients = yield* Effect.forEach(
        isForced,
        (force) => makePatient(clinic, force ? "OPEN" : "ABANDONED"),
        together
      )
      yield* untilJobsEnd(clinic)
      const erasures = Arr.zip(patients, Arr.zip(isForced, rests))
      const requests = Effect.forEach(erasures, ([{ userId }, [force]]) => erase(userId, force), together)
      const answers = yield* killedWhileWaitingFor(killed, table, killed, requests)
      // A caller without a response repeats the request. A caller who learns what is pending need not.
      for (const { json, status } of answers) {
        if (status === 200) assert.include(json.pending, killed)
        else assert.isAtLeast(status, 500)
      }
      yield* ready
      yield* untilJobsEnd(clinic)
      for (const [patient, [force, rest]] of erasures) {
        if (rest === "undone") assert.includeMembers(yield* tablesWith(patient.mark), everywhere)
        if (rest !== "left") yield* eraseAgain(patient, force)
      }
      yield* untilJobsEnd(clinic)
      for (const patient of patients) yield* isErased(patient)
    })
  }

  it("when auth is killed while it tells the others, at once and minutes later", function* () {
    const clinic = yield* makeClinic
    const [first, earlier] = yield* Effect.all([makePatient(clinic, "OPEN"), makePatient(clinic, "OPEN")], together)
    assert.includeMembers(yield* tablesWith(first.mark), everywhere)
    assert.deepStrictEqual((yield* erase(earlier.userId, true)).json.pending, [])
    yield* untilJobsEnd(clinic)
    // Data that was under way during the erasure, and is written slightly too late.
    yield* inDatabase(
      "cases",
      (sql) => sql`UPDATE cases.cases SET is_archived = false WHERE user_id = ${earlier.userId}`
    )
    const dueNow = inDatabase(
      "auth",
      (sql) => sql`
          UPDATE auth.jobs SET due_at = now()
          WHERE organization_id = ${clinic.organizationId} AND queue_name = 'patient-erasure' AND state = 'pending'
        `
    )
    const audited = Effect.all([erase(first.userId, true), dueNow], together)
    const [answer] = yield* killedWhileWaitingFor("payments", "patient_keys", "auth", audited)
    assert.isAtLeast(answer.status, 500)
    yield* ready
    const remaining = inDatabase(
      "auth",
      (sql) => sql`
          SELECT id FROM auth.jobs
          WHERE organization_id = ${clinic.organizationId} AND queue_name = 'patient-erasure' AND state IN ('pending', 'running')
        `
    )
    const expire = expireLocks(yield* DateTime.nowAsDate)
    // The job that was offered for some minutes later.
    yield* until(Effect.andThen(expire, remaining), ({ length }) => length === 1)
    for (const patient of [first, earlier]) yield* isErased(patient)
  })
})
