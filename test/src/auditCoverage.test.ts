import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { contracts } from "../operations/contracts.ts"
import { inEveryDatabase } from "./harness/database.ts"
import { makeClinic } from "./harness/fixtures.ts"
import { fixturesOf, sendOperation } from "./harness/fixturesOf.ts"
import { untilAllEnded } from "./harness/jobsOf.ts"
import { changedTables, recordTransactions, unauditedTables } from "./harness/recordTransactions.ts"
import { Suite } from "./harness/Suite.ts"
import { markedPatients, marks, sendMarkedRequests } from "./harness/sendMarkedRequests.ts"
import { testsOn } from "./harness/testsOn.ts"

/** The ids of the requests that have an audit record. The records of jobs have the id of the request that caused them. */
const recordedRequests = Effect.map(
  inEveryDatabase(
    (sql, service) => sql<{ id: string }>`
      SELECT coalesce(request_uuid::text, request_name) AS id FROM ${sql(service)}.audit_entries
      UNION ALL SELECT request_id FROM ${sql(service)}.audit_waiting
    `
  ),
  (rows) => new Set(rows.map(({ id }) => id))
)

testsOn(Suite.layer, "the audit", (it) => {
  it("every operation of the contracts records who read or changed a patient's data, but for those that touch none, and a change in its transaction", function* () {
    yield* recordTransactions
    const clinic = yield* makeClinic
    const fixtures = yield* fixturesOf(clinic, markedPatients())
    const sent = [...(yield* sendMarkedRequests(clinic, fixtures, marks))]
    for (const contract of contracts) {
      for (const { request: recipe, until: end } of Object.values(contract.entry.measured ?? {})) {
        const request = yield* Effect.promise(async () => recipe(fixtures))
        const { sentRequest, ...answer } = yield* sendOperation(clinic, contract, request)
        sent.push({ contract, request, sentRequest, answer })
        yield* Effect.promise(async () => end?.(fixtures))
      }
    }
    yield* untilAllEnded(clinic)
    const expected = contracts.filter(({ entry }) => entry.unaudited !== undefined).map(({ id }) => id)
    const silent = Effect.map(recordedRequests, (recorded) => {
      const recordedOperations = sent.filter(({ answer }) => recorded.has(answer.headers.get("x-request-id") ?? ""))
      return contracts
        .filter((contract) => !recordedOperations.some((operation) => operation.contract === contract))
        .map(({ id }) => id)
    })
    // Reads are in the database when they were moved, some second later.
    const unrecorded = yield* Effect.repeat(Effect.delay(silent, "50 millis"), {
      times: 600,
      until: ({ length }) => length <= expected.length
    })
    assert.deepStrictEqual(unrecorded, expected)
    const written = yield* changedTables
    assert.isAbove(written.recorded.length, 15)
    assert.deepStrictEqual(written.unrecorded, Object.keys(unauditedTables), "changes that committed without a record")
  }, 240_000)
})
