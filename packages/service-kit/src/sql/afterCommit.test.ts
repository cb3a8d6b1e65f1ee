import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { layerTestDatabase } from "../testing/layerTestDatabase.ts"
import { afterCommit } from "./afterCommit.ts"

layer(layerTestDatabase("cases"), { excludeTestServices: true })("afterCommit", (it) => {
  const log: Array<string> = []
  const note = (line: string) => Effect.sync(() => void log.push(line))
  const told = Effect.sync(() => log.splice(0))

  it.effect("comes after the commit of the outermost transaction, and then in order", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* afterCommit(note("first"))
          yield* sql.withTransaction(afterCommit(note("second")))
          yield* sql`SELECT 1`
          yield* note("inside")
        })
      )
      yield* note("outside")
      assert.deepStrictEqual(yield* told, ["inside", "first", "second", "outside"])
    })
  )

  it.effect("does not come when the transaction rolls back, and waits for none where there is none", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* Effect.exit(sql.withTransaction(Effect.andThen(afterCommit(note("never")), Effect.fail("rolled back"))))
      yield* Effect.exit(sql.withTransaction(Effect.andThen(afterCommit(note("never")), Effect.interrupt)))
      yield* afterCommit(note("at once"))
      assert.deepStrictEqual(yield* told, ["at once"])
    })
  )

  it.effect("does not come of a part that rolled back, whatever the rest did", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* Effect.exit(
            sql.withTransaction(Effect.andThen(afterCommit(note("never")), Effect.fail("rolled back")))
          )
          yield* sql.withTransaction(sql.withTransaction(afterCommit(note("innermost"))))
          yield* note("inside")
        })
      )
      assert.deepStrictEqual(yield* told, ["inside", "innermost"])
    })
  )

  it.effect("sees what was committed", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE committed (id integer)`
      const others = sql<{ id: number }>`SELECT id FROM committed`.pipe(
        Effect.orDie,
        Effect.flatMap((rows) => note(rows.map(({ id }) => id).join()))
      )
      yield* sql.withTransaction(Effect.andThen(sql`INSERT INTO committed VALUES (7)`, afterCommit(others)))
      assert.deepStrictEqual(yield* told, ["7"])
    })
  )
})
