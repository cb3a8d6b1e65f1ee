import { randomUUID } from "node:crypto"
import { OrganizationId, UserId } from "@care/domain/ids"
import { layerTestDatabase } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { layerTestCipher } from "../testing/layerTestCipher.ts"
import { makePatientRecords, ofUser, type PatientTable } from "./PatientRecords.ts"

const TestLayer = Layer.merge(layerTestDatabase("cases"), layerTestCipher)

const newPatient = () => ({ organizationId: OrganizationId.make(randomUUID()), userId: UserId.make(randomUUID()) })

const notes: PatientTable = { table: "notes", of: ofUser(), key: ["written_at", "number"] }
const marks: PatientTable = { table: "marks", of: ofUser(), key: ["number"], hidden: ["secretHash"] }

const createTables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE notes (organization_id uuid, user_id uuid, written_at timestamptz(3), number integer)`
  yield* sql`CREATE TABLE marks (organization_id uuid, user_id uuid, number integer, secret_hash text)`
  // Ten were always written at the same time, so that pages end between them.
  return ({ organizationId, userId }: ReturnType<typeof newPatient>, count: number) =>
    sql`
      INSERT INTO notes SELECT ${organizationId}::uuid, ${userId}::uuid, '2026-01-01T00:00:00Z'::timestamptz + n / 10 * interval '1 ms', n
      FROM generate_series(0, ${count}::integer - 1) AS n
    `
})

const textOf = <E>(records: Stream.Stream<Uint8Array, E>) =>
  Effect.map(Stream.runCollect(records), (pieces) => Buffer.concat(pieces).toString())

layer(TestLayer, { excludeTestServices: true })("PatientRecords", (it) => {
  it.effect("has each row of the patient once, in order, and no other rows", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const write = yield* createTables
      const read = yield* makePatientRecords([notes, marks])
      for (const count of [0, 1, 9, 10, 11, 20, 95, 500]) {
        const [patient, other] = [newPatient(), newPatient()]
        yield* write(patient, count)
        yield* write({ ...other, organizationId: patient.organizationId }, 3)
        yield* write({ ...other, userId: patient.userId }, 3)
        yield* sql`INSERT INTO marks VALUES (${patient.organizationId}, ${patient.userId}, 1, 'secret')`
        const records = JSON.parse(yield* textOf(read(patient)))
        assert.deepStrictEqual(Object.keys(records), ["notes", "marks"])
        assert.deepStrictEqual(
          records.notes.map(({ number }: { readonly number: number }) => number),
          Array.from({ length: count }, (_, index) => index)
        )
        assert.deepStrictEqual(records.marks, [{ ...patient, number: 1 }])
      }
      yield* sql`DROP TABLE notes, marks`
    })
  )

  it.effect("reads many rows while other fibers run, and a broken stream has no end", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const write = yield* createTables
      const patient = newPatient()
      yield* write(patient, 500)
      let turns = 0
      let opened = 0
      const seen = new Set<number>()
      const row = (breaksAt: number): Required<PatientTable>["row"] => ({
        visit: () => {},
        open: () => (values) => {
          seen.add(turns)
          if (++opened === breaksAt) throw new Error("This row does not open")
          return values
        }
      })
      const whole = yield* makePatientRecords([{ ...notes, row: row(Number.POSITIVE_INFINITY) }])
      const others = Effect.forever(
        Effect.andThen(
          Effect.yieldNow,
          Effect.sync(() => (turns += 1))
        )
      )
      const text = yield* Effect.raceFirst(textOf(whole(patient)), others)
      assert.lengthOf(JSON.parse(text).notes, 500)
      assert.isAbove(seen.size, 10)

      opened = 0
      const broken = yield* makePatientRecords([{ ...notes, row: row(300) }])
      const pieces: Array<Uint8Array> = []
      const exit = yield* Effect.exit(
        Stream.runForEach(broken(patient), (piece) => Effect.sync(() => pieces.push(piece)))
      )
      assert.strictEqual(exit._tag, "Failure")
      const received = Buffer.concat(pieces).toString()
      assert.include(received, '"number":280')
      assert.throws(() => JSON.parse(received))
      yield* sql`DROP TABLE notes, marks`
    })
  )
})
