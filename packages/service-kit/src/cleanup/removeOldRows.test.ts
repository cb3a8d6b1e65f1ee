import { assert, layer } from "@effect/vitest"
import { DateTime, Deferred, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { layerTestDatabase } from "../testing/layerTestDatabase.ts"
import { type OldRows, removeOldRows } from "./removeOldRows.ts"

const oldThings: OldRows = { table: "things", since: "used_at", age: "1 day" }

const makeThings = Effect.fnUntraced(function* (count: number, used: DateTime.Utc) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE IF NOT EXISTS things (used_at timestamptz NOT NULL)`
  yield* sql`INSERT INTO things SELECT ${DateTime.toDateUtc(used)}::timestamptz FROM generate_series(1, ${count}::int)`
})

const left = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT FROM things`).pipe(
  Effect.map(({ length }) => length)
)

layer(layerTestDatabase("cases"), { excludeTestServices: true })("removeOldRows", (it) => {
  it.effect("removes all that is old, however much, and nothing else", () =>
    Effect.gen(function* () {
      const now = yield* DateTime.now
      yield* makeThings(3, DateTime.subtract(now, { hours: 23 }))
      const before = yield* left
      yield* makeThings(2500, DateTime.subtract(now, { hours: 25 }))
      yield* removeOldRows([oldThings])
      assert.strictEqual(yield* left, before)
    })
  )

  it.effect("a row that is renewed at the same time stays, and is not waited for", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* makeThings(1, DateTime.makeUnsafe(0))
      const before = yield* left
      const renewed = yield* Deferred.make<void>()
      const removed = yield* Deferred.make<void>()
      const renewal = Effect.gen(function* () {
        yield* sql`UPDATE things SET used_at = now()`
        yield* Deferred.succeed(renewed, undefined)
        yield* Deferred.await(removed)
      })
      const removal = Deferred.await(renewed).pipe(
        Effect.andThen(removeOldRows([oldThings])),
        Effect.timeout("5 seconds"),
        Effect.ensuring(Deferred.succeed(removed, undefined))
      )
      yield* Effect.all([sql.withTransaction(renewal), removal], { concurrency: "unbounded" })
      assert.strictEqual(yield* left, before)
    })
  )
})
