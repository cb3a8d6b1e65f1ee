import { assert } from "@effect/vitest"
import { contracts } from "../operations/contracts.ts"
import { admin } from "./harness/call.ts"
import {
  type Exported,
  markedCellsIn,
  missingFrom,
  placeOf,
  primaryKeys,
  without
} from "./harness/canary/markedCells.ts"
import { inEveryDatabase } from "./harness/database.ts"
import { makeClinic } from "./harness/fixtures.ts"
import { fixturesOf } from "./harness/fixturesOf.ts"
import { untilAllEnded } from "./harness/jobsOf.ts"
import { readRows } from "./harness/openEverything.ts"
import { Suite } from "./harness/Suite.ts"
import { markedPatients, marks, sendMarkedRequests } from "./harness/sendMarkedRequests.ts"
import { testsOn } from "./harness/testsOn.ts"

interface LeftOut {
  readonly reason: string
  readonly tables: ReadonlyArray<string>
}

// Tables with data of patients that are in no export, with the reason.
const leftOut: ReadonlyArray<LeftOut> = [
  {
    reason:
      "what was answered, for whoever asks the same again within 30 days: it says nothing that is not in the tables",
    tables: ["auth.idempotency_keys", "cases.idempotency_keys", "payments.idempotency_keys"]
  }
]

// Columns that no patient's key seals, so that their owner cannot be determined.
const ofNobody: Readonly<Record<string, string>> = {
  "auth.messages.sealed_text": "messages of a sandbox, some of which are to its staff",
  "auth.jobs.payload": "work that is under way",
  "cases.jobs.payload": "work that is under way",
  "payments.jobs.payload": "work that is under way",
  "scheduling.jobs.payload": "work that is under way"
}

// The writes about patients. Without erasures, after which nothing can be opened.
const telling = contracts
  .filter(({ entry, method }) => method !== "GET" && entry.unaudited === undefined && entry.changesAccess === undefined)
  .map(({ id }) => id)
  .filter((id) => id !== "patientErasure.erase" && id !== "members.removeUser")

testsOn(Suite.layer, "an export", (it) => {
  it("has all stored data of its patient, in the same rows and columns", function* () {
    const clinic = yield* makeClinic
    yield* sendMarkedRequests(clinic, yield* fixturesOf(clinic, markedPatients()), marks, telling)
    yield* untilAllEnded(clinic)
    const keys = yield* primaryKeys
    const owners = yield* inEveryDatabase(
      (sql, service) => sql<{ id: string; userId: string }>`
        SELECT id, user_id AS "userId" FROM ${sql(`${service}.patient_keys`)}
      `
    )
    const ownerOf = new Map(owners.map(({ id, userId }) => [id, userId]))
    // Unsealed rows have the patient's id.
    const cellsByKey = Map.groupBy(markedCellsIn(yield* readRows), ({ keyId, row }) =>
      keyId === undefined ? String(row["userId"] ?? row["id"]) : ownerOf.get(keyId)
    )
    assert.includeMembers(Object.keys(ofNobody), (cellsByKey.get(undefined) ?? []).map(placeOf))

    const places = new Set<string>()
    const unused = new Set(leftOut)
    for (const [userId, cells] of cellsByKey) {
      if (userId === undefined) continue
      const exportable = cells.filter((cell) => {
        const entry = leftOut.find(({ tables }) => tables.includes(cell.table))
        if (entry !== undefined) unused.delete(entry)
        return entry === undefined
      })
      for (const cell of exportable) places.add(placeOf(cell))
      const exported: Exported = (yield* admin("GET", `/users/${userId}/export`)).json
      for (const table of new Set(exportable.map((cell) => cell.table))) {
        // In an export the contents of pieces are in their documents.
        const source = table === "cases.document_pieces" ? "cases.documents" : table
        const lost = missingFrom(without(exported, source), exportable, keys)
        const expected = exportable.filter((cell) => [table, source].includes(cell.table)).map(placeOf)
        assert.includeMembers([...lost], expected, `nothing is said to be missing without ${table}`)
      }
      assert.deepStrictEqual(missingFrom(exported, exportable, keys), [])
    }
    assert.isAbove(places.size, 35)
    assert.deepStrictEqual([...unused], [])
  })
})
