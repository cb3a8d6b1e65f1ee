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
import { inDatabase } from "./harness/database.ts"
import { makeClinic } from "./harness/fixtures.ts"
import { fixturesOf } from "./harness/fixturesOf.ts"
import { haveAllEnded, jobsOf } from "./harness/jobsOf.ts"
import { readRows } from "./harness/openEverything.ts"
import { Suite } from "./harness/Suite.ts"
import { markedPatients, marks, sendMarkedRequests } from "./harness/sendMarkedRequests.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

interface LeftOut {
  readonly reason: string
  readonly tables: ReadonlyArray<string>
}

// What is stored of a patient, and is in no export.
const leftOut: ReadonlyArray<LeftOut> = [
  {
    reason:
      "what was answered, for whoever asks the same again within 30 days: it says nothing that is not in the tables",
    tables: ["auth.idempotency_keys", "cases.idempotency_keys", "payments.idempotency_keys"]
  }
]

// What no patient's key seals: it cannot be told whose it is.
const ofNobody: Readonly<Record<string, string>> = {
  "auth.jobs.payload": "work that is under way",
  "cases.jobs.payload": "work that is under way",
  "payments.jobs.payload": "work that is under way",
  "scheduling.jobs.payload": "work that is under way"
}

// What is erased cannot be opened, and nothing is told of a patient by what only reads.
const telling = contracts
  .filter(({ entry, method }) => method !== "GET" && entry.unaudited === undefined)
  .map(({ id }) => id)
  .filter((id) => id !== "patientErasure.erase" && id !== "members.removeUser")

testsOn(Suite.layer, "an export", (it) => {
  it("has everything that was told of its patient and is stored, in the row and the column where it is", function* () {
    const clinic = yield* makeClinic
    yield* sendMarkedRequests(clinic.key, yield* fixturesOf(clinic, markedPatients()), marks, telling)
    yield* until(jobsOf(clinic), haveAllEnded)
    const keys = yield* primaryKeys
    const owners = yield* inDatabase(
      (sql) => sql<{ id: string; userId: string }>`
          SELECT id, user_id AS "userId" FROM auth.patient_keys UNION ALL SELECT id, user_id FROM cases.patient_keys
          UNION ALL SELECT id, user_id FROM payments.patient_keys UNION ALL SELECT id, user_id FROM scheduling.patient_keys
        `
    )
    const ownerOf = new Map(owners.map(({ id, userId }) => [id, userId]))
    // What is not sealed says whose it is.
    const told = Map.groupBy(markedCellsIn(yield* readRows), ({ keyId, row }) =>
      keyId === undefined ? String(row["userId"] ?? row["id"]) : ownerOf.get(keyId)
    )
    assert.includeMembers(Object.keys(ofNobody), (told.get(undefined) ?? []).map(placeOf))

    const places = new Set<string>()
    const unused = new Set(leftOut)
    for (const [userId, cells] of told) {
      if (userId === undefined) continue
      const wanted = cells.filter((cell) => {
        const entry = leftOut.find(({ tables }) => tables.includes(cell.table))
        if (entry !== undefined) unused.delete(entry)
        return entry === undefined
      })
      for (const cell of wanted) places.add(placeOf(cell))
      const exported: Exported = (yield* admin("GET", `/users/${userId}/export`)).json
      for (const table of new Set(wanted.map((cell) => cell.table))) {
        // Documents have what is in their pieces.
        const source = table === "cases.document_pieces" ? "cases.documents" : table
        const lost = missingFrom(without(exported, source), wanted, keys)
        const expected = wanted.filter((cell) => [table, source].includes(cell.table)).map(placeOf)
        assert.includeMembers([...lost], expected, `nothing is said to be missing without ${table}`)
      }
      assert.deepStrictEqual(missingFrom(exported, wanted, keys), [])
    }
    assert.isAbove(places.size, 35)
    assert.deepStrictEqual([...unused], [])
  })
})
