import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { findFreeBase, runEmbeddedPostgres, services } from "@care/sandbox"
import { temporaryFolder } from "@care/service-kit/testing"
import { PgClient } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"

const root = join(import.meta.dirname, "..", "..")

const on = <A, E>(url: string, effect: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>) =>
  Effect.flatMap(SqlClient.SqlClient, effect).pipe(
    Effect.provide(PgClient.layer({ url: Redacted.make(url), maxConnections: 1 }))
  )

// A replacement of psql, which no npm package has. It writes the statements to a file, with their variables filled in.
const recorder = (file: string) => `#!${process.execPath}
const { appendFileSync, readFileSync } = require("node:fs")
const parameters = process.argv.slice(2)
const given = parameters.flatMap((one, at) => (parameters[at - 1] === "-v" ? [one.split("=")] : []))
const variables = Object.fromEntries(given)
let text = readFileSync(0, "utf8")
text = text.replace(/^\\\\getenv (\\w+) :(\\w+)\\n/gm, (_, name, variable) => {
  variables[name] = process.env[variables[variable]]
  return ""
})
text = text.replace(/:"(\\w+)"/g, (_, name) => '"' + variables[name] + '"')
appendFileSync(${JSON.stringify(file)}, text.replace(/:'(\\w+)'/g, (_, name) => "'" + variables[name] + "'"))
`

const passwords = {
  AUTH_DATABASE_PASSWORD: "a1",
  CASES_DATABASE_PASSWORD: "c1",
  PAYMENTS_DATABASE_PASSWORD: "p1",
  SCHEDULING_DATABASE_PASSWORD: "s1"
}

/** Returns the statements that the script runs. Its folder is on the disk, because file systems in memory may forbid execution. */
const statementsOfScript = Effect.map(temporaryFolder(0o755, tmpdir()), (folder) => {
  const file = join(folder, "statements.sql")
  writeFileSync(join(folder, "psql"), recorder(file), { mode: 0o755 })
  const { status } = spawnSync("/bin/sh", [join(root, "docker", "create-roles.sh")], {
    env: { PATH: `${folder}:/usr/bin:/bin`, POSTGRES_USER: "postgres", POSTGRES_DB: "care", ...passwords }
  })
  assert.strictEqual(status, 0)
  return readFileSync(file, "utf8")
    .split(";")
    .filter((statement) => statement.trim() !== "")
})

it.live("the containers' roles have a password each, and can use nothing but their schema and some connections", () =>
  Effect.gen(function* () {
    const { url } = yield* runEmbeddedPostgres({
      directory: join(yield* temporaryFolder(), "postgres"),
      port: yield* findFreeBase([0]),
      password: "owner",
      isDurable: false
    })
    yield* on(url, (sql) => sql`CREATE DATABASE care`)
    const urlOf = (database: string, user: string, password: string) => {
      const changed = new URL(url)
      changed.pathname = `/${database}`
      changed.username = user
      changed.password = password
      return changed.toString()
    }
    const owner = urlOf("care", "postgres", "owner")
    const statements = yield* statementsOfScript
    yield* on(owner, (sql) => Effect.forEach(statements, (statement) => sql.unsafe(statement)))

    for (const [at, service] of services.entries()) {
      const [role, password = ""] = [`care_${service}`, Object.values(passwords)[at]]
      const mine = urlOf("care", role, password)
      yield* on(mine, (sql) => sql`CREATE TABLE ${sql(service)}.kept AS SELECT 7 AS number`)
      const [rights] = yield* on(
        mine,
        (sql) => sql`
          SELECT rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls AS "hasRights",
                 rolconnlimit AS connections,
                 has_schema_privilege('public', 'USAGE') AS "usesPublic",
                 current_schemas(false)::text[] AS "looksIn",
                 current_setting('statement_timeout') || ' ' || current_setting('idle_in_transaction_session_timeout') AS timeouts,
                 has_database_privilege('care', 'CREATE') OR has_database_privilege('care', 'TEMPORARY') AS creates,
                 array(SELECT nspname::text FROM pg_namespace WHERE nspname !~ '^(pg_|information_schema)'
                         AND has_schema_privilege(oid, 'USAGE, CREATE')) AS schemas
          FROM pg_roles WHERE rolname = current_user
        `
      )
      assert.deepStrictEqual(rights, {
        hasRights: false,
        connections: 24,
        usesPublic: false,
        looksIn: [service],
        timeouts: "1min 15s",
        creates: false,
        schemas: [service]
      })
      for (const other of [urlOf("postgres", role, password), urlOf("template1", role, password)]) {
        yield* Effect.flip(on(other, (sql) => sql`SELECT 1`))
      }
      for (const wrong of Object.values(passwords).filter((otherPassword) => otherPassword !== password)) {
        yield* Effect.flip(on(urlOf("care", role, wrong), (sql) => sql`SELECT 1`))
      }
    }
  }).pipe(Effect.scoped)
)
