import { randomUUID } from "node:crypto"
import { OrganizationId, UserId } from "@care/domain/ids"
import { execute } from "@care/service-kit"
import { layerTestDatabase } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Cause, Effect, Exit, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { erasedText, jsonRows, sealed, sealedRow } from "../sealed/sealedRow.ts"
import { sealedRowsOf } from "../sealed/sealedRowsOf.ts"
import { layerTestCipher } from "../testing/layerTestCipher.ts"
import { makePatientKeys } from "./PatientKeys.ts"
import { patientKeyJson } from "./PatientKeysRepo.ts"

const NoteRow = sealedRow("notes", ["organizationId", "id"], {
  organizationId: OrganizationId,
  id: Schema.String,
  userId: UserId,
  text: sealed(Schema.String, erasedText),
  remark: sealed(Schema.NullOr(Schema.String)),
  tags: sealed(Schema.Array(Schema.String), []),
  picture: sealed(Schema.Uint8Array, new Uint8Array())
})

const ListRow = sealedRow("lists", ["organizationId"], {
  organizationId: OrganizationId,
  notes: jsonRows(
    sealedRow("notes", ["organizationId", "id"], {
      organizationId: OrganizationId,
      id: Schema.String,
      text: sealed(Schema.String, erasedText)
    })
  )
})

const organizationId = OrganizationId.make(randomUUID())
const newUser = () => UserId.make(randomUUID())

const columns = `organization_id, id, user_id, text, remark, tags, picture`

// A note of a patient, in a table of its own.
const storedNote = Effect.fnUntraced(function* (userId: UserId, text = "migraine") {
  const sql = yield* SqlClient.SqlClient
  const notes = yield* sealedRowsOf(NoteRow)
  yield* sql`
    CREATE TABLE IF NOT EXISTS notes (
      organization_id uuid, id uuid, user_id uuid, text text, remark text, tags text, picture bytea, PRIMARY KEY (organization_id, id)
    )
  `
  const patientKeys = yield* makePatientKeys
  const note = {
    organizationId,
    id: randomUUID(),
    userId,
    text,
    remark: "aura",
    tags: ["head"],
    picture: Buffer.from("picture")
  }
  const key = yield* patientKeys.of(organizationId, userId)
  yield* execute(sql`INSERT INTO notes ${sql.insert(notes.seal(key, note))}`)
  const read = notes.one(
    sql`SELECT ${sql.literal(columns)} FROM notes WHERE organization_id = ${organizationId} AND id = ${note.id}`
  )
  return { note, read, key }
})

layer(Layer.merge(layerTestDatabase("cases"), layerTestCipher))("the data key of a patient", (it) => {
  it.effect("opens what it sealed, and another patient's opens nothing of it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [first, second] = [yield* storedNote(newUser()), yield* storedNote(newUser(), "heartburn")]
      assert.deepStrictEqual(yield* first.read, first.note)
      assert.deepStrictEqual(yield* second.read, second.note)
      const stored = yield* sql<{
        text: string
        userId: string
      }>`SELECT text, user_id FROM notes WHERE id = ${first.note.id}`
      assert.match(stored[0]?.text ?? "", new RegExp(`^${first.key.id}:`))

      // The ciphertext of one patient with the key id of another.
      yield* sql`
        UPDATE notes SET text = ${`${second.key.id}:`} || split_part(text, ':', 2) WHERE id = ${first.note.id}
      `
      const exit = yield* Effect.exit(first.read)
      assert.strictEqual(
        Exit.isFailure(exit) && String(Cause.squash(exit.cause)),
        `Error: notes.text does not open with the key ${second.key.id}: it was changed, or sealed for another place`
      )
    })
  )

  it.effect("does not open in another patient's row", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [first, second] = [yield* storedNote(newUser()), yield* storedNote(newUser())]
      yield* sql`
        UPDATE patient_keys k SET wrapped = other.wrapped FROM patient_keys other
        WHERE k.user_id = ${first.note.userId} AND other.user_id = ${second.note.userId}
      `
      const exit = yield* Effect.exit(first.read)
      assert.include(Exit.isFailure(exit) && String(Cause.squash(exit.cause)), "patient_keys.wrapped does not open")
      assert.deepStrictEqual(yield* second.read, second.note)
    })
  )

  it.effect("is one, also if it is made in parallel", () =>
    Effect.gen(function* () {
      const patientKeys = yield* makePatientKeys
      const userId = newUser()
      const keys = yield* Effect.replicateEffect(patientKeys.of(organizationId, userId), 20, {
        concurrency: "unbounded"
      })
      assert.strictEqual(new Set(keys.map(({ id }) => id)).size, 1)
    })
  )

  it.effect("seals no row of another patient or organization", () =>
    Effect.gen(function* () {
      const notes = yield* sealedRowsOf(NoteRow)
      const { key, note } = yield* storedNote(newUser())
      assert.throws(() => notes.seal(key, { ...note, userId: newUser() }), "with the key of another patient")
      const elsewhere = { ...note, organizationId: OrganizationId.make(randomUUID()) }
      assert.throws(() => notes.seal(key, elsewhere), "with the key of another patient")
    })
  )

  it.effect("that is destroyed leaves the erased values, also of later rows, and is never made again", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const patientKeys = yield* makePatientKeys
      const { key, note, read } = yield* storedNote(newUser())
      const other = yield* storedNote(newUser())
      assert.deepStrictEqual(yield* read, note)
      yield* patientKeys.destroy(organizationId, note.userId, new Date())
      yield* patientKeys.destroy(organizationId, note.userId, new Date())
      const erased = { ...note, text: erasedText, remark: null, tags: [], picture: new Uint8Array() }
      assert.deepStrictEqual({ ...(yield* read), picture: new Uint8Array() }, erased)
      assert.deepStrictEqual(yield* other.read, other.note)
      assert.isTrue(yield* patientKeys.isErased(organizationId, note.userId))

      const late = yield* storedNote(note.userId, "late")
      assert.strictEqual(late.key.id, key.id)
      assert.strictEqual((yield* late.read).text, erasedText)
      // With the key from before the erasure.
      const notes = yield* sealedRowsOf(NoteRow)
      yield* sql`UPDATE notes SET text = ${notes.seal(key, note).text} WHERE id = ${note.id}`
      assert.strictEqual((yield* read).text, erasedText)
    })
  )

  it.effect("destroyed before there was one leaves none to be made", () =>
    Effect.gen(function* () {
      const patientKeys = yield* makePatientKeys
      const userId = newUser()
      yield* patientKeys.destroy(organizationId, userId, new Date())
      assert.isNull((yield* patientKeys.of(organizationId, userId)).secret)
    })
  )

  it.effect("that a statement brings along is not read again, and opens rows inside of a row, too", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const lists = yield* sealedRowsOf(ListRow)
      const { note } = yield* storedNote(newUser())
      const list = (brought: string) =>
        lists.one(sql`
          SELECT organization_id, json_agg(json_build_object('organizationId', organization_id, 'id', id, 'text', text)) AS notes,
                 ${sql.literal(brought)} AS patient_key
          FROM notes WHERE id = ${note.id} GROUP BY organization_id, user_id
        `)
      const opened = { organizationId, notes: [{ organizationId, id: note.id, text: "migraine" }] }
      assert.deepStrictEqual(yield* list("NULL"), opened)
      const before = yield* list(patientKeyJson("notes.organization_id", "notes.user_id"))
      assert.deepStrictEqual(before, opened)
      yield* sql`ALTER TABLE patient_keys RENAME TO kept_keys`
      const brought = patientKeyJson("notes.organization_id", "notes.user_id").replace("patient_keys", "kept_keys")
      assert.deepStrictEqual(yield* list(brought), opened)
      assert.isTrue(Exit.isFailure(yield* Effect.exit(list("NULL"))))
      yield* sql`ALTER TABLE kept_keys RENAME TO patient_keys`
    })
  )
})
