import { assert, layer } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { layerTestDatabase } from "../testing/layerTestDatabase.ts"
import { removeOldRows } from "./removeOldRows.ts"

layer(layerTestDatabase("cases"), { excludeTestServices: true })("removeOldRows", (it) => {
  it.effect("keeps a row that is renewed at the same time, and does not wait for it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE things AS SELECT 1 AS id, to_timestamp(0) AS used_at`
      const renewed = yield* Deferred.make<void>()
      const removed = yield* Deferred.make<void>()
      const renewal = Effect.gen(function* () {
        yield* sql`UPDATE things SET used_at = now()`
        yield* Deferred.succeed(renewed, undefined)
        yield* Deferred.await(removed)
      })
      const removal = Deferred.await(renewed).pipe(
        Effect.andThen(removeOldRows([{ table: "things", key: ["id"], since: "used_at", age: "1 day" }])),
        Effect.timeout("5 seconds"),
        Effect.ensuring(Deferred.succeed(removed, undefined))
      )
      yield* Effect.all([sql.withTransaction(renewal), removal], { concurrency: "unbounded" })
      assert.lengthOf(yield* sql`SELECT FROM things`, 1)
    })
  )
})
