import { assert, layer } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import { layerTestDatabase } from "../testing/layerTestDatabase.ts"
import { inTransaction } from "./inTransaction.ts"
import { execute } from "./rows.ts"

layer(layerTestDatabase("cases"))("inTransaction", (it) => {
  it.effect("what a change is refused with rolls it back and is told; what fails of the transaction is a defect", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      // The constraint is looked at when the transaction commits.
      yield* sql`CREATE TABLE things (id integer PRIMARY KEY DEFERRABLE INITIALLY DEFERRED)`
      const insert = (id: number) => execute(sql`INSERT INTO things (id) VALUES (${id}::integer)`)
      yield* inTransaction(sql)(insert(1))
      const refused = inTransaction(sql)(Effect.andThen(insert(2), Effect.fail("refused")))
      assert.strictEqual(yield* Effect.flip(refused), "refused")
      assert.isTrue(Exit.hasDies(yield* Effect.exit(inTransaction(sql)(insert(1)))))
      assert.deepStrictEqual(yield* sql`SELECT id FROM things`, [{ id: 1 }])
    })
  )
})
