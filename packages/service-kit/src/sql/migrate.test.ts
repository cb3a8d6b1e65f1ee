import { PgClient } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { makeTestDatabase } from "../testing/layerTestDatabase.ts"
import { migrate } from "./migrate.ts"

const statement = (text: string) => Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.asVoid(sql.unsafe(text)))

const migrations = {
  "0001_create_things": statement("CREATE TABLE things (id integer PRIMARY KEY)"),
  "0002_add_name": statement("ALTER TABLE things ADD COLUMN name text")
}

it.live("several instances that start at once run every migration once, in a schema that none of them had", () =>
  Effect.gen(function* () {
    const database = yield* makeTestDatabase
    const url = Redacted.make(database.url)
    const run = migrate({ url, schema: "fresh", migrations })
    yield* Effect.all([run, run, run, run], { concurrency: "unbounded" })
    yield* run
    const rows = yield* Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<{ name: string }>`SELECT name FROM fresh.migrations ORDER BY migration_id`
    ).pipe(Effect.provide(PgClient.layer({ url, maxConnections: 1 })))
    assert.deepStrictEqual(
      rows.map(({ name }) => name),
      ["create_things", "add_name"]
    )
  }).pipe(Effect.scoped)
)

it.live("a database that does not answer is a sentence without the password", () =>
  Effect.gen(function* () {
    const url = Redacted.make("postgresql://someone:secret@127.0.0.1:1/care")
    const { message } = yield* Effect.flip(migrate({ url, schema: "fresh", migrations }))
    assert.match(message, /^Cannot use PostgreSQL at 127\.0\.0\.1:1 \(.*ECONNREFUSED.*\): check DATABASE_URL\.$/)
    assert.notInclude(message, "secret")
  })
)
