import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { layerTestDatabase } from "../testing/layerTestDatabase.ts"

const more = 250

// The driver is patched to remember the key of a text (`patches`).
layer(layerTestDatabase("cases"), { excludeTestServices: true })("a prepared statement", (it) => {
  it.effect("is of its text and the types of its parameters, however many others are asked in between", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const typeOf = (value: unknown) => sql`SELECT pg_typeof(${value})::text AS type`
      const typesOf = (values: ReadonlyArray<unknown>) =>
        Effect.map(Effect.forEach(values, typeOf), (rows) => rows.flat().map((row) => Object(row).type))
      const values = [1, 1.5, 2, true, 1.5, false, 3]
      const [integer, float] = ["integer", "double precision"]
      const types = [integer, float, integer, "boolean", float, "boolean", integer]
      assert.deepStrictEqual(yield* typesOf(values), types)
      yield* Effect.forEach(Array.from({ length: more }), (_, index) =>
        sql.unsafe(`SELECT $1::integer + ${index}`, [1])
      )
      assert.deepStrictEqual(yield* typesOf(values), types)
    })
  )
})
