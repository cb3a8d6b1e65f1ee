import { randomUUID } from "node:crypto"
import { OrganizationId, UserId } from "@care/domain/ids"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { layerTestCipher } from "../testing/layerTestCipher.ts"
import { layerTestDatabase } from "../testing/layerTestDatabase.ts"
import { makePatientRecords } from "./PatientRecords.ts"
import { ofUser } from "./PatientTable.ts"

const TestLayer = Layer.merge(layerTestDatabase("cases"), layerTestCipher)

layer(TestLayer, { excludeTestServices: true })("PatientRecords", (it) => {
  it.effect("whoever has a great deal is read while others get their turn", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const organizationId = OrganizationId.make(randomUUID())
      const userId = UserId.make(randomUUID())
      yield* sql`CREATE TABLE notes (organization_id uuid, user_id uuid, number integer)`
      yield* sql`INSERT INTO notes SELECT ${organizationId}::uuid, ${userId}::uuid, generate_series(1, 500)`
      let turns = 0
      const seen = new Set<number>()
      const row = {
        visit: () => {},
        open: () => (values: Readonly<Record<string, unknown>>) => {
          seen.add(turns)
          return values
        }
      }
      const read = yield* makePatientRecords([{ table: "notes", row, of: ofUser(), order: "number" }])
      const others = Effect.forever(
        Effect.andThen(
          Effect.yieldNow,
          Effect.sync(() => (turns += 1))
        )
      )
      const { notes = [] } = yield* Effect.raceFirst(read({ organizationId, userId }), others)
      assert.lengthOf(notes, 500)
      assert.deepInclude(notes[499], { number: 500 })
      assert.isAbove(seen.size, 10)
    })
  )
})
