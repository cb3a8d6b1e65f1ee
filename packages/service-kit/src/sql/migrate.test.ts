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

const query = <A, E>(url: Redacted.Redacted, effect: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>) =>
  Effect.flatMap(SqlClient.SqlClient, effect).pipe(Effect.provide(PgClient.layer({ url, maxConnections: 1 })))

const stored = (url: Redacted.Redacted) =>
  query(url, (sql) => sql<{ name: string }>`SELECT name FROM fresh.migrations ORDER BY migration_id`).pipe(
    Effect.map((rows) => rows.map(({ name }) => name))
  )

it.live("several instances that start at once run every migration once, in a schema that none of them had", () =>
  Effect.gen(function* () {
    const database = yield* makeTestDatabase
    const url = Redacted.make(database.url)
    const run = migrate({ url, schema: "fresh", migrations })
    yield* Effect.all([run, run, run, run], { concurrency: "unbounded" })
    yield* run
    assert.deepStrictEqual(yield* stored(url), ["create_things", "add_name"])
  }).pipe(Effect.scoped)
)

// What versions of the past and of the future leave behind.
const others: Readonly<Record<string, ReadonlyArray<string>>> = {
  "a migration that this one does not know": ["0001_create_things", "0004_create_organization_access"],
  "a migration of this one's under another number": ["0001_create_things", "0003_add_name"],
  "only the later of this one's": ["0002_add_name"],
  "more than this one's": ["0001_create_things", "0002_add_name", "0003_add_colour"]
}

for (const [what, names] of Object.entries(others)) {
  it.live(`a schema of another version, with ${what}, is refused and left as it is`, () =>
    Effect.gen(function* () {
      const url = Redacted.make((yield* makeTestDatabase).url)
      const steps = names.map((name) => [name, statement(`CREATE TABLE "${name}" ()`)] as const)
      yield* migrate({ url, schema: "fresh", migrations: Object.fromEntries(steps) })
      const before = yield* stored(url)

      const error = yield* Effect.flip(migrate({ url, schema: "fresh", migrations }))
      assert.strictEqual(error.exitCode, 65)
      assert.match(error.message, /^The schema fresh was made by another version, whose migration 000\d_\w+ /)
      assert.match(
        error.message,
        /: run that version, drop the schemas of all services, or set DATABASE_URL to another/
      )
      assert.deepStrictEqual(yield* stored(url), before)
      const tables = yield* query(url, (sql) => sql`SELECT FROM pg_tables WHERE schemaname = 'fresh'`)
      assert.lengthOf(tables, names.length + 1)
    }).pipe(Effect.scoped)
  )
}

it.live("a schema of an earlier step of this version is brought up to date", () =>
  Effect.gen(function* () {
    const url = Redacted.make((yield* makeTestDatabase).url)
    const { "0001_create_things": first } = migrations
    yield* migrate({ url, schema: "fresh", migrations: { "0001_create_things": first } })
    yield* migrate({ url, schema: "fresh", migrations })
    assert.deepStrictEqual(yield* stored(url), ["create_things", "add_name"])
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
