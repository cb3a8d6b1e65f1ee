import { anyCharacter } from "@care/domain/testing"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Schema } from "effect"
import * as fc from "fast-check"
import { PhiCipher } from "../cipher/PhiCipher.ts"
import { ofNobody } from "../patientKeys/PatientKey.ts"
import { layerTestCipher } from "../testing/layerTestCipher.ts"
import { erasedText, jsonRows, type OpenedRow, sealed, sealedRow } from "./sealedRow.ts"

const noteIn = (table: string) =>
  sealedRow(table, ["owner", "id"], {
    owner: Schema.String,
    id: Schema.String,
    text: sealed(Schema.String, erasedText),
    remark: sealed(Schema.NullOr(Schema.String)),
    at: Schema.Date
  })
const Note = noteIn("notes")
const note: OpenedRow<typeof Note> = { owner: "a", id: "1", text: "migraine", remark: null, at: new Date(0) }

const withCipher = (test: (cipher: PhiCipher["Service"]) => void) =>
  Effect.provide(PhiCipher.useSync(test), layerTestCipher)

const seal = <A, I>(schema: Schema.Codec<A, I>, row: A) => Schema.encodeSync(schema)(row)
const open = <A, I>(schema: Schema.Codec<A, I>, stored: unknown) => Schema.decodeUnknownSync(schema)(stored)

const defectOf = <A, I>(schema: Schema.Codec<A, I>, stored: unknown): string => {
  const exit = Effect.runSyncExit(Effect.suspend(() => Schema.decodeUnknownEffect(schema)(stored)))
  return Exit.isFailure(exit) ? String(Cause.squash(exit.cause)) : assert.fail("It opened")
}

describe("sealedRow", () => {
  it.effect("a value opens in its table, column and row only", () =>
    withCipher((cipher) => {
      const rows = { notes: Note.whole(cipher), drafts: noteIn("drafts").whole(cipher) }
      const text = fc.string({ unit: anyCharacter })
      const table = fc.constantFrom("notes" as const, "drafts" as const)
      const place = fc.record({ table, owner: text, id: text, column: fc.constantFrom("text", "remark") })
      const positions = fc
        .tuple(place, fc.constantFrom("table", "owner", "id", "column"), place)
        .map(([here, part, other]) => [here, { ...here, [part]: other[part] }] as const)
        .filter(([here, there]) => JSON.stringify(here) !== JSON.stringify(there))
      fc.assert(
        fc.property(positions, text, ([here, there], plain) => {
          const { column, id, owner } = here
          const row = { ...note, owner, id, [column]: plain }
          const stored = seal(rows[here.table], row)
          assert.deepStrictEqual(open(rows[here.table], stored), row)

          const { owner: newOwner, id: newId } = there
          const moved = {
            ...stored,
            owner: newOwner,
            id: newId,
            text: null,
            remark: null,
            [there.column]: stored[column]
          }
          const defect = defectOf(rows[there.table], moved)
          assert.include(defect, "does not open with the key k1: it was changed, or sealed for another place")
        })
      )
    })
  )

  it.effect("an error has the table, the column and the key, and nothing of the value", () =>
    withCipher((cipher) => {
      const row = Note.whole(cipher)
      const stored = seal(row, note)
      assert.strictEqual(
        defectOf(row, { ...stored, text: note.text }),
        "Error: notes.text does not open: it was sealed with none of the keys in PHI_KEY (k1)"
      )
      for (const change of [{ text: 7_777_777 }, { remark: undefined }]) {
        const defect = defectOf(row, { ...stored, ...change })
        assert.include(defect, String(Object.keys(change)))
        assert.notInclude(defect, "7777777")
        assert.notInclude(defect, note.text)
      }
    })
  )

  it.effect("an opened value of another type is refused without being quoted", () =>
    withCipher((cipher) => {
      const Weight = sealedRow("notes", ["id"], { id: Schema.String, text: sealed(Schema.Finite, 0) })
      const Text = sealedRow("notes", ["id"], { id: Schema.String, text: sealed(Schema.String, erasedText) })
      const defect = defectOf(Text.whole(cipher), seal(Weight.whole(cipher), { id: "1", text: 7_777_777 }))
      assert.include(defect, '["text"]')
      assert.notInclude(defect, "7777777")
    })
  )

  it.effect("a null is NULL, where the schema has one", () =>
    withCipher((cipher) => {
      const stored = seal(Note.whole(cipher), note)
      assert.isNull(stored.remark)
      assert.isNull(open(Note.whole(cipher), stored).remark)
      assert.include(defectOf(Note.whole(cipher), { ...stored, text: null }), "Expected string")
    })
  )

  it.effect("any schema with a JSON form is sealed, and rows inside of a row", () =>
    withCipher((cipher) => {
      const Medicine = Schema.Struct({
        name: Schema.String,
        since: Schema.Date,
        dose: Schema.optionalKey(Schema.Finite)
      })
      const Chart = sealedRow("charts", ["id"], {
        id: Schema.String,
        medicines: sealed(Schema.Array(Medicine), []),
        notes: jsonRows(Note)
      })
      const chart = {
        id: "1",
        medicines: [
          { name: "triptan", since: new Date(1) },
          { name: "zinc", since: new Date(2), dose: 0.5 }
        ],
        notes: [note, { ...note, id: "2", remark: "aura" }]
      }
      const stored = seal(Chart.whole(cipher), chart)
      const dump = JSON.stringify(stored)
      assert.include(dump, '"id":"2"')
      assert.notMatch(dump, /triptan|zinc|migraine|aura/)
      // Parsed, as the driver returns a jsonb column.
      const read = { ...stored, notes: JSON.parse(JSON.stringify(stored.notes)) }
      assert.deepStrictEqual(open(Chart.whole(cipher), read), chart)
      const [first, second] = read.notes
      assert.include(
        defectOf(Chart.whole(cipher), { ...read, notes: [{ ...first, text: second.text }, second] }),
        "notes.text does not open"
      )
    })
  )

  it.effect("bytes are sealed as bytes, not as text", () =>
    withCipher((cipher) => {
      const Piece = sealedRow("pieces", ["id"], {
        id: Schema.String,
        bytes: sealed(Schema.Uint8Array, new Uint8Array())
      })
      const piece = { id: "1", bytes: Buffer.from("migraine") }
      const stored = seal(Piece.whole(cipher), piece)
      assert.instanceOf(stored.bytes, Uint8Array)
      assert.isAbove(Buffer.from(stored.bytes).length, piece.bytes.length)
      assert.notInclude(String(stored.bytes), "migraine")
      assert.deepStrictEqual(open(Piece.whole(cipher), stored), piece)
      assert.include(
        defectOf(Piece.whole(cipher), { ...stored, id: "2" }),
        "pieces.bytes does not open with the key k1"
      )
    })
  )

  it.effect("a part of a row is sealed for the same place; columns that are undefined are left out", () =>
    withCipher((cipher) => {
      const part = Note.seal(cipher)(ofNobody, { owner: "a", id: "1", text: undefined, remark: "aura" })
      assert.hasAllKeys(part, ["owner", "id", "remark"])
      const stored = { ...seal(Note.whole(cipher), note), ...part }
      assert.deepStrictEqual(open(Note.whole(cipher), stored), { ...note, remark: "aura" })
    })
  )

  it.effect("neither is plain text taken for sealed, nor sealed text for plain", () =>
    withCipher((cipher) => {
      const stored = seal(Note.whole(cipher), note)
      // @ts-expect-error What is stored of a sealed column cannot be made of text.
      const written: typeof stored = { ...stored, text: "migraine" }
      // @ts-expect-error What is stored of a sealed column is no text to be shown.
      const shown: string = stored.text
      // @ts-expect-error A sealed column has a place in a `sealedRow` only.
      Schema.Struct({ text: sealed(Schema.String, erasedText) })
      // @ts-expect-error The key is made of columns of the row that are not sealed.
      sealedRow("notes", ["text"], { text: sealed(Schema.String, erasedText) })
      assert.notStrictEqual(String(written.text), shown)
    })
  )
})
