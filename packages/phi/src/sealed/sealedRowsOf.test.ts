import { randomUUID } from "node:crypto"
import { execute } from "@care/service-kit"
import { layerTestDatabase } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ofNobody } from "../patientKeys/PatientKey.ts"
import { layerTestCipher } from "../testing/layerTestCipher.ts"
import { erasedText, type OpenedRow, sealed, sealedRow } from "./sealedRow.ts"
import { sealedRowsOf } from "./sealedRowsOf.ts"

const NoteRow = sealedRow("notes", ["organizationId", "id"], {
  organizationId: Schema.String,
  id: Schema.String,
  text: sealed(Schema.String, erasedText),
  spokenText: sealed(Schema.NullOr(Schema.String)),
  createdAt: Schema.Date
})

// Two notes, in a table of their own.
const storedNotes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const notes = yield* sealedRowsOf(NoteRow)
  yield* sql`DROP TABLE IF EXISTS notes`
  yield* sql`
    CREATE TABLE notes (
      organization_id uuid, id uuid, text text NOT NULL, spoken_text text, created_at timestamptz(3),
      PRIMARY KEY (organization_id, id)
    )
  `
  const first: OpenedRow<typeof NoteRow> = {
    organizationId: randomUUID(),
    id: randomUUID(),
    text: "migraine",
    spokenText: "headache",
    createdAt: new Date(1)
  }
  const second = { ...first, id: randomUUID(), createdAt: new Date(2) }
  yield* execute(sql`INSERT INTO notes ${sql.insert([notes.seal(ofNobody, first), notes.seal(ofNobody, second)])}`)
  return {
    first,
    second,
    read: notes.all(sql`SELECT organization_id, id, text, spoken_text, created_at FROM notes ORDER BY created_at`),
    change: (row: Parameters<typeof notes.seal>[1]) =>
      execute(sql`
        UPDATE notes SET ${sql.update(notes.seal(ofNobody, row), ["organizationId", "id"])}
        WHERE organization_id = ${row.organizationId} AND id = ${row.id}
      `)
  }
})

layer(Layer.merge(layerTestDatabase("cases"), layerTestCipher))("sealedRowsOf", (it) => {
  it.effect("stored values are sealed in the table, are read back as rows, and open in their own row only", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { first, read, second } = yield* storedNotes
      const [dump] = yield* sql<{ text: string }>`SELECT string_agg(notes::text, ' ') AS text FROM notes`
      assert.include(dump?.text, first.id)
      assert.notMatch(String(dump?.text), /migraine|headache/)
      assert.deepStrictEqual(yield* read, [first, second])
      yield* sql`UPDATE notes SET text = other.text FROM notes other WHERE other.created_at > notes.created_at`
      const exit = yield* Effect.exit(read)
      assert.isTrue(Exit.hasDies(exit))
      assert.include(String(exit), "notes.text does not open with the key k1")
    })
  )

  it.effect("a column can be changed alone, also to NULL", () =>
    Effect.gen(function* () {
      const { change, first, read, second } = yield* storedNotes
      const { id, organizationId } = first
      yield* change({ organizationId, id, text: "cluster headache", createdAt: undefined })
      yield* change({ organizationId, id, spokenText: null })
      assert.deepStrictEqual(yield* read, [{ ...first, text: "cluster headache", spokenText: null }, second])
    })
  )
})
