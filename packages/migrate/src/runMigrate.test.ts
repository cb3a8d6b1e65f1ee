import { randomUUID } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { migrations } from "@care/cases/migrations"
import { layerDatabase, suiteVersion } from "@care/service-kit"
import { makeEmptyDatabase, temporaryFolder } from "@care/service-kit/testing"
import { PgClient } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Redacted } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { runMigrate } from "./runMigrate.ts"

type Variables = Readonly<Record<string, string>>

const withVariables = (variables: Variables) =>
  Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(variables))

/** Runs the command, and returns the lines that it writes. */
const run = Effect.fnUntraced(function* (variables: Variables, ...parameters: ReadonlyArray<string>) {
  const lines: Array<string> = []
  yield* runMigrate(parameters, (line) => lines.push(line)).pipe(withVariables(variables))
  return lines
})

const query = <A, E>(url: string, effect: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>) =>
  Effect.flatMap(SqlClient.SqlClient, effect).pipe(
    Effect.provide(PgClient.layer({ url: Redacted.make(url), maxConnections: 1 }))
  )

// The schemas of a database, their tables with columns and indexes, and the migrations that they have.
const contentsOf = (url: string) =>
  query(url, (sql) =>
    Effect.gen(function* () {
      const relations = yield* sql<{ name: string; kind: string }>`
        SELECT relnamespace::regnamespace || '.' || relname AS name, relkind AS kind, pg_get_indexdef(oid) AS index, (
          SELECT string_agg(concat_ws(' ', attname, format_type(atttypid, atttypmod), attnotnull), ', ' ORDER BY attnum)
          FROM pg_attribute WHERE attrelid = pg_class.oid AND attnum > 0
        ) AS columns
        FROM pg_class WHERE relnamespace::regnamespace::text IN ('auth', 'cases', 'payments', 'scheduling') ORDER BY name
      `
      const tables = relations.filter(({ kind, name }) => kind === "r" && name.endsWith(".migrations"))
      const names = yield* Effect.forEach(
        tables,
        ({ name }) => sql`SELECT migration_id, name FROM ${sql(name)} ORDER BY migration_id`
      )
      return { relations, names }
    })
  )

it.live("a dry run changes nothing and prints each statement: run by hand, they make the same schemas", () =>
  Effect.gen(function* () {
    const [byHand, byCommand] = [yield* makeEmptyDatabase, yield* makeEmptyDatabase]
    const script = yield* run({ MIGRATIONS_URL: byHand.url }, "--dry-run")
    assert.deepStrictEqual(yield* contentsOf(byHand.url), { relations: [], names: [] })

    yield* query(byHand.url, (sql) => Effect.forEach(script, (line) => sql.unsafe(line)))
    assert.deepStrictEqual(
      yield* run({ MIGRATIONS_URL: byCommand.url }),
      ["auth", "cases", "payments", "scheduling"].map((service) => `The schema ${service} is up to date.`)
    )
    const contents = yield* contentsOf(byCommand.url)
    assert.isAbove(contents.relations.length, 200)
    assert.deepStrictEqual(yield* contentsOf(byHand.url), contents)

    const nothing = ["-- The schema cases is up to date."]
    assert.deepStrictEqual(yield* run({ MIGRATIONS_URL: byHand.url }, "--dry-run", "--service", "cases"), nothing)
  }).pipe(Effect.scoped)
)

/** Makes a database with a role that owns the schema cases, and one for the service, as docs/upgrade.md says. */
const makeRestricted = Effect.gen(function* () {
  const { name, url } = yield* makeEmptyDatabase
  const [owner, service] = ["owner", "service"].map((role) => `${role}_${randomUUID().replaceAll("-", "")}`)
  yield* Effect.acquireRelease(
    query(url, (sql) =>
      Effect.gen(function* () {
        for (const role of [owner, service]) yield* sql.unsafe(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'`)
        yield* sql.unsafe(`CREATE SCHEMA cases AUTHORIZATION ${owner}`)
        yield* sql.unsafe(`GRANT USAGE ON SCHEMA cases TO ${service}`)
        const byDefault = `ALTER DEFAULT PRIVILEGES FOR ROLE ${owner} IN SCHEMA cases`
        yield* sql.unsafe(`${byDefault} GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${service}`)
        yield* sql.unsafe(`${byDefault} GRANT USAGE ON SEQUENCES TO ${service}`)
      })
    ),
    () =>
      query(url, (sql) =>
        Effect.gen(function* () {
          for (const role of [owner, service]) {
            yield* sql.unsafe(`DROP OWNED BY ${role} CASCADE`)
            yield* sql.unsafe(`DROP ROLE ${role}`)
          }
        })
      ).pipe(Effect.orDie)
  )
  const urlOf = (role = "") => {
    const changed = new URL(url)
    changed.username = role
    changed.password = "secret"
    return changed.toString()
  }
  return { name, ownerUrl: urlOf(owner), serviceUrl: urlOf(service) }
})

it.live(
  "a service with MIGRATE_AT_START=false starts with a role that cannot alter tables, once its schema is migrated",
  () =>
    Effect.gen(function* () {
      const { ownerUrl, serviceUrl } = yield* makeRestricted
      const start = <A, E>(
        effect: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>,
        variables: Variables = { MIGRATE_AT_START: "false" }
      ) =>
        Effect.flatMap(SqlClient.SqlClient, effect).pipe(
          Effect.provide(Layer.fresh(layerDatabase({ schema: "cases", migrations }))),
          withVariables({ DATABASE_URL: serviceUrl, ...variables })
        )
      const select = (sql: SqlClient.SqlClient) => sql`SELECT FROM jobs`

      const behind = yield* Effect.flip(start(select))
      assert.match(
        String(behind),
        /The schema cases lacks the first of \d+ migrations 0001_create_jobs, and MIGRATE_AT_START is false: run pnpm migrate /
      )
      assert.deepStrictEqual(yield* contentsOf(ownerUrl), { relations: [], names: [] })

      yield* run({ MIGRATIONS_URL_CASES: ownerUrl }, "--service", "cases")
      assert.deepStrictEqual(yield* start(select), [])
      // Nor does it need rights to find out that nothing is missing.
      assert.deepStrictEqual(yield* start(select, {}), [])
      for (const statement of [
        "ALTER TABLE cases ADD COLUMN colour text",
        "ALTER TABLE cases DISABLE TRIGGER ALL",
        "CREATE TABLE more ()",
        "DROP TABLE cases",
        "TRUNCATE cases CASCADE"
      ]) {
        const refused = yield* Effect.flip(start((sql) => sql.unsafe(statement)))
        assert.deepInclude(SqlError.isSqlError(refused) && refused.reason.cause, { code: "42501" }, statement)
      }

      yield* query(
        ownerUrl,
        (sql) => sql`
          INSERT INTO cases.migrations (migration_id, name, version) VALUES (9999, 'add_colour', ${suiteVersion + 1})
        `
      )
      // The next version's migrations are no obstacle.
      assert.deepStrictEqual(yield* start(select), [])
      yield* query(ownerUrl, (sql) => sql`UPDATE cases.migrations SET version = version + 1 WHERE migration_id = 9999`)
      assert.match(
        String(yield* Effect.flip(start(select))),
        /The schema cases has migrations of version \d+, and this /
      )
    }).pipe(Effect.scoped)
)

it.live("says in a sentence what is wrong, without a password, before it changes anything", () =>
  Effect.gen(function* () {
    const { url } = yield* makeEmptyDatabase
    const file = join(yield* temporaryFolder(), "url")
    writeFileSync(file, "secret")
    const refusals: ReadonlyArray<readonly [Variables, ReadonlyArray<string>, RegExp]> = [
      [{}, [], /^MIGRATIONS_URL is missing: set it to .* \(or MIGRATIONS_URL_AUTH, for auth alone\)\.$/],
      [{ MIGRATIONS_URL_AUTH: url }, [], /\(or MIGRATIONS_URL_CASES, for cases alone\)\.$/],
      [{ MIGRATIONS_URL: "" }, [], /^MIGRATIONS_URL is missing: /],
      [{ MIGRATIONS_URL_FILE: file }, [], /^MIGRATIONS_URL has to be a URL such as postgresql:/],
      [{ MIGRATIONS_URL: "secret" }, [], /^MIGRATIONS_URL has to be a URL such as postgresql:/],
      [{ MIGRATIONS_URL: url }, ["--service", "gateway"], /^There is no service gateway\. Usage: pnpm migrate /],
      [{ MIGRATIONS_URL: url }, ["--dry"], /^--dry is not understood\. Usage: pnpm migrate /],
      [{ MIGRATIONS_URL: "postgresql://a:secret@127.0.0.1:1/care" }, [], /ECONNREFUSED.*: check MIGRATIONS_URL\.$/]
    ]
    for (const [variables, parameters, sentence] of refusals) {
      const { message } = yield* Effect.flip(run(variables, ...parameters))
      assert.match(message, sentence)
      assert.notInclude(message, "secret")
    }
    assert.deepStrictEqual(yield* contentsOf(url), { relations: [], names: [] })
  }).pipe(Effect.scoped)
)
