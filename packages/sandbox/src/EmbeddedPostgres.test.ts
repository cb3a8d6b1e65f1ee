import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PgClient } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { runEmbeddedPostgres } from "./EmbeddedPostgres.ts"
import { findFreeBase } from "./ports.ts"
import { provision } from "./provision.ts"

const temporaryFolder = (mode: number) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const folder = mkdtempSync(join(tmpdir(), "care-embedded-"))
      chmodSync(folder, mode)
      return folder
    }),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )

const query = <A, E>(url: string, effect: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>) =>
  Effect.flatMap(SqlClient.SqlClient, effect).pipe(
    Effect.provide(PgClient.layer({ url: Redacted.make(url), maxConnections: 1 }))
  )

// 0700 is what a private temporary folder has: as root, PostgreSQL's account cannot enter it.
for (const mode of [0o755, 0o700]) {
  it.live(`finds its data again after a stop, in a folder of mode ${mode.toString(8)}`, () =>
    Effect.gen(function* () {
      const directory = join(yield* temporaryFolder(mode), "postgres")
      const port = yield* findFreeBase([0])
      const run = runEmbeddedPostgres({ directory, port, password: "secret", isDurable: false })
      yield* Effect.scoped(
        Effect.flatMap(run, ({ url }) => query(url, (sql) => sql`CREATE TABLE kept AS SELECT 7 AS number`))
      )
      const rows = yield* Effect.scoped(
        Effect.flatMap(run, ({ url }) => query(url, (sql) => sql<{ number: number }>`SELECT number FROM kept`))
      )
      assert.deepStrictEqual(rows, [{ number: 7 }])
    }).pipe(Effect.scoped)
  )
}

it.live("takes over from a server that outlived the process that ran it", () =>
  Effect.gen(function* () {
    const directory = join(yield* temporaryFolder(0o755), "postgres")
    const port = yield* findFreeBase([0])
    const run = runEmbeddedPostgres({ directory, port, password: "secret", isDurable: false })
    const pidOf = () => Number(readFileSync(join(directory, "postmaster.pid"), "utf8").split("\n")[0])
    yield* run
    const first = pidOf()
    yield* run
    assert.notStrictEqual(pidOf(), first)
  }).pipe(Effect.scoped)
)

it.live("gives each service a role that cannot read the schema of another", () =>
  Effect.gen(function* () {
    const directory = join(yield* temporaryFolder(0o755), "postgres")
    const port = yield* findFreeBase([0])
    const { url } = yield* runEmbeddedPostgres({ directory, port, password: "secret", isDurable: false })
    const [first, again] = yield* Effect.all([provision(url, "seed"), provision(url, "seed")], { concurrency: 2 })
    assert.deepStrictEqual(first, again)
    yield* query(first.urls.auth, (sql) => sql`CREATE TABLE auth.secrets AS SELECT 1 AS number`)
    const denied = yield* Effect.flip(query(first.urls.cases, (sql) => sql`SELECT * FROM auth.secrets`))
    assert.strictEqual(denied._tag === "SqlError" && denied.reason._tag, "AuthorizationError")
  }).pipe(Effect.scoped)
)

it.live("says in a sentence what is wrong with a database", () =>
  Effect.gen(function* () {
    const { message } = yield* Effect.flip(provision("postgresql://someone:secret@127.0.0.1:1/care", "seed"))
    assert.match(message, /^PostgreSQL at 127\.0\.0\.1:1 cannot be used: .*ECONNREFUSED.* Check DATABASE_URL\.$/)
    assert.notInclude(message, "secret")
  })
)
