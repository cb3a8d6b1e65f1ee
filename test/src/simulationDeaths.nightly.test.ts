import { randomUUID } from "node:crypto"
import type { ServiceName } from "@care/domain/peers"
import type { ProcessName } from "@care/sandbox"
import { assert } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { eventTypeId, openSlot } from "./harness/appointments.ts"
import { admin, call } from "./harness/call.ts"
import { inDatabase, untilLockWaits } from "./harness/database.ts"
import { type Clinic, caseBody, createCase, makeClinic, makeSandbox } from "./harness/fixtures.ts"
import { createAbandonedCase } from "./harness/gatewayEvents.ts"
import { untilJobsEnd } from "./harness/jobsOf.ts"
import { killService, pauseService, untilReady } from "./harness/killService.ts"
import { layerProcesses } from "./harness/layerProcesses.ts"
import { idIn } from "./harness/paymentSetup.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

const assigned = Effect.fnUntraced(function* (sandbox: Clinic) {
  const caseId = String((yield* createCase(sandbox, caseBody(sandbox))).json.data.caseId)
  yield* until(admin("GET", `/cases/${caseId}`), ({ json }) => json.status === "ASSIGNED")
  return caseId
})

const unpaid = Effect.fnUntraced(function* (sandbox: Clinic) {
  const intent = yield* call("POST", "/api/v1/payments/intent", { key: sandbox.key, body: { amount: 299 } })
  return yield* createAbandonedCase(sandbox, idIn(intent.json.data.paymentIntentSecret))
})

/** A step, the activity that it records once, and the service that takes a part of it before cases does, with the table that it writes. */
const steps = {
  START: { make: assigned, bodyOf: () => Effect.succeed({}), activity: "CASE_STARTED", elsewhere: undefined },
  PAYMENT_SUCCEEDED: {
    make: unpaid,
    bodyOf: () => Effect.succeed({}),
    activity: "CASE_OPENED",
    elsewhere: ["payments", "payment_events"]
  },
  APPOINTMENT_BOOKED: {
    make: assigned,
    bodyOf: (sandbox: Clinic) => Effect.map(openSlot(sandbox), (startTime) => ({ eventTypeId, startTime })),
    activity: "CALENDAR_EVENT_CREATED",
    elsewhere: ["scheduling", "calendar_events"]
  }
} as const

const lockId = 4242

/** Runs an effect while the answers of steps are not committed: their transactions wait for the lock before that. */
const holdingAnswers = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    inDatabase("cases", (sql) =>
      Effect.all([
        sql.unsafe(`
          CREATE FUNCTION cases.wait_for_test() RETURNS trigger LANGUAGE plpgsql
          AS $$ BEGIN PERFORM pg_advisory_xact_lock(${lockId}); RETURN NEW; END $$
        `),
        sql`
          CREATE TRIGGER wait_for_test BEFORE UPDATE ON cases.idempotency_keys
          FOR EACH ROW WHEN (NEW.operation = 'simulateStep' AND NEW.answer IS NOT NULL)
          EXECUTE FUNCTION cases.wait_for_test()
        `
      ])
    ),
    () =>
      inDatabase("cases", (sql) =>
        sql.withTransaction(Effect.andThen(sql`SELECT pg_advisory_xact_lock(${lockId})`, work))
      ),
    () => Effect.orDie(inDatabase("cases", (sql) => sql`DROP FUNCTION cases.wait_for_test CASCADE`))
  )

const waitingAnswers = untilLockWaits("cases", 1, "idempotency_keys")

testsOn(layerProcesses, "a simulated step, repeated with its key, is one with one answer", (it) => {
  for (const [step, { activity, bodyOf, elsewhere, make }] of Object.entries(steps)) {
    const prepared = Effect.gen(function* () {
      const sandbox = yield* Effect.flatMap(makeClinic, makeSandbox)
      const caseId = yield* make(sandbox)
      const body = { step, ...(yield* bodyOf(sandbox)) }
      const headers = { "idempotency-key": randomUUID() }
      const request = call("POST", `/api/v1/test/cases/${caseId}/simulate`, { key: sandbox.key, body, headers })
      return { sandbox, caseId, request }
    })

    const checkOnce = Effect.fnUntraced(function* (
      { caseId, request, sandbox }: Effect.Success<typeof prepared>,
      killed: ProcessName
    ) {
      yield* untilReady(killed)
      const answer = yield* until(request, ({ status }) => status === 200)
      assert.deepStrictEqual((yield* request).json, answer.json)
      assert.isFalse(answer.json.data.possible.includes(step) && step !== "APPOINTMENT_BOOKED")
      yield* untilJobsEnd(sandbox)
      const { json } = yield* admin("GET", `/cases/${caseId}/activity`)
      const recorded = json.data.filter(({ type }: { readonly type: string }) => type === activity)
      assert.lengthOf(recorded, 1)
      const audited = yield* until(
        admin("GET", `/audit?organizationId=${sandbox.organizationId}&action=STEP_SIMULATED`),
        ({ json: { data } }) => data.length > 0
      )
      assert.lengthOf(audited.json.data, 1)
      return answer
    })

    it(`${step}, when cases is killed before its transaction ends`, function* () {
      const made = yield* prepared
      const cutShort = yield* holdingAnswers(
        Effect.gen(function* () {
          const requesting = yield* Effect.forkChild(made.request)
          yield* waitingAnswers
          yield* killService("cases")
          return requesting
        })
      ).pipe(Effect.flatMap(Fiber.await))
      assert.strictEqual(cutShort._tag === "Success" && cutShort.value.status < 500, false)
      yield* checkOnce(made, "cases")
    })

    it(`${step}, when its answer is lost`, function* () {
      const made = yield* prepared
      const requesting = yield* holdingAnswers(
        Effect.gen(function* () {
          const child = yield* Effect.forkChild(made.request)
          yield* waitingAnswers
          yield* pauseService("gateway")
          return child
        })
      )
      const stored = yield* inDatabase("cases", (sql) =>
        until(
          sql<{ ids: unknown }>`
            SELECT ids FROM cases.idempotency_keys
            WHERE organization_id = ${made.sandbox.organizationId} AND operation = 'simulateStep' AND answer IS NOT NULL
          `,
          ({ length }) => length === 1
        )
      )
      assert.lengthOf(stored, 1)
      yield* killService("gateway")
      assert.strictEqual((yield* Fiber.await(requesting))._tag, "Failure")
      yield* checkOnce(made, "gateway")
    })

    if (elsewhere !== undefined) {
      const [service, table]: readonly [ServiceName, string] = elsewhere
      it(`${step}, when ${service} is killed before its transaction ends`, function* () {
        const made = yield* prepared
        const requesting = yield* inDatabase(service, (sql) =>
          sql.withTransaction(
            Effect.gen(function* () {
              yield* sql.unsafe(`LOCK TABLE ${service}.${table} IN EXCLUSIVE MODE`)
              const child = yield* Effect.forkChild(made.request)
              yield* untilLockWaits(service, 1, table)
              yield* killService(service)
              return child
            })
          )
        )
        yield* Fiber.await(requesting)
        yield* checkOnce(made, service)
      })
    }
  }
})
