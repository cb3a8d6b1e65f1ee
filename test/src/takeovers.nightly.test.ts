import type { ServiceName } from "@care/domain/peers"
import { assert } from "@effect/vitest"
import { Clock, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { call } from "./harness/call.ts"
import { inDatabase } from "./harness/database.ts"
import { caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { haveAllEnded, jobsOf } from "./harness/jobsOf.ts"
import { killService } from "./harness/killService.ts"
import { layerProcesses } from "./harness/layerProcesses.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

interface Kill<E, R> {
  /** What waits for a lock on a table of a service, and what makes it wait. */
  readonly lock: readonly [service: ServiceName, table: string]
  readonly cause: Effect.Effect<unknown, E, R>
  readonly killed: ServiceName
}

/** Kills a service while a statement waits for a lock that its work needs. Returns the time when the lock was released. */
const killWhileWaiting = <E, R>({ cause, killed, lock: [service, table] }: Kill<E, R>) =>
  inDatabase(service, (sql) =>
    sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`LOCK TABLE ${sql(service)}.${sql(table)} IN EXCLUSIVE MODE`
        yield* cause
        yield* until(
          // `pg_stat_activity` would not change within this transaction.
          sql`SELECT FROM pg_locks WHERE NOT granted AND relation = ${`${service}.${table}`}::regclass`,
          ({ length }) => length > 0
        )
        yield* killService(killed)
      })
    )
  ).pipe(Effect.andThen(Clock.currentTimeMillis))

// The test before may have killed a service.
const makeClinicWhenReady = Effect.andThen(
  until(call("GET", "/health/ready"), ({ json }) => json.status === "ready"),
  makeClinic
)

const secondsSince = (start: number) => Effect.map(Clock.currentTimeMillis, (now) => (now - start) / 1000)

const untilIn = (
  service: ServiceName,
  query: (sql: SqlClient.SqlClient) => Effect.Effect<ReadonlyArray<unknown>, unknown>,
  count: number
) => until(inDatabase(service, query), ({ length }) => length === count)

testsOn(layerProcesses, "work of a killed process goes on in another", (it) => {
  it("events, whose relay is one at a time, within 5 seconds", function* () {
    const clinic = yield* makeClinicWhenReady
    const killed = yield* killWhileWaiting({
      lock: ["cases", "events"],
      cause: createCase(clinic, caseBody(clinic)),
      killed: "cases"
    })
    yield* untilIn(
      "cases",
      (sql) => sql`SELECT FROM cases.events WHERE organization_id = ${clinic.organizationId} AND type = 'case.created'`,
      1
    )
    assert.isBelow(yield* secondsSince(killed), 5)
  })

  it("the chains of the audit, which one process at a time links, within 5 seconds", function* () {
    const clinic = yield* makeClinicWhenReady
    const waiting = (sql: SqlClient.SqlClient) =>
      sql`SELECT FROM cases.audit_waiting WHERE organization_id = ${clinic.organizationId}`
    const killed = yield* killWhileWaiting({
      lock: ["cases", "audit_entries"],
      cause: createCase(clinic, caseBody(clinic)),
      killed: "cases"
    })
    yield* untilIn("cases", waiting, 0)
    assert.isBelow(yield* secondsSince(killed), 5)
    assert.isAbove(
      (yield* inDatabase(
        "cases",
        (sql) => sql`SELECT FROM cases.audit_entries WHERE organization_id = ${clinic.organizationId}`
      )).length,
      0
    )
  })

  it("a job, such as the hourly clean-up, within 20 seconds", function* () {
    const clinic = yield* makeClinicWhenReady
    const payment = { providerReference: { type: "SETUP_INTENT", id: "seti_1" } }
    const killed = yield* killWhileWaiting({
      lock: ["payments", "payments"],
      cause: createCase(clinic, caseBody(clinic, { status: "ABANDONED", payment })),
      killed: "cases"
    })
    const [job] = yield* until(
      Effect.map(jobsOf(clinic), (jobs) => jobs.filter(({ queue }) => queue === "payment-recording")),
      haveAllEnded
    )
    assert.isBelow(yield* secondsSince(killed), 20)
    assert.deepInclude(job, { state: "completed", crashes: 1 })
  })
})
