import { spawnSync } from "node:child_process"
import { appendFileSync, chownSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { findFreeBase, type RunningPostgres, runEmbeddedPostgres } from "@care/sandbox"
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"

const addFile = (directory: string, name: string, text: string): void => {
  const { gid, uid } = statSync(directory)
  writeFileSync(join(directory, name), text)
  chownSync(join(directory, name), uid, gid)
}

// The embedded PostgreSQL has no `pg_basebackup`, which does the same.
const copyData = (primary: RunningPostgres, directory: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`SELECT pg_backup_start('standby', fast => true)`
    const copied = spawnSync("cp", ["--archive", primary.directory, directory], { encoding: "utf8" })
    if (copied.status !== 0) return yield* Effect.die(new Error(`The data was not copied: ${copied.stderr}`))
    const [backup] = yield* sql<{ labelfile: string }>`SELECT labelfile FROM pg_backup_stop()`
    addFile(directory, "backup_label", backup?.labelfile ?? "")
  }).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(primary.url), maxConnections: 1 })))

/** Runs a hot standby of a PostgreSQL until the scope closes: it streams and replays what the primary writes. */
export const runStandby = Effect.fnUntraced(function* (
  primary: RunningPostgres,
  directory: string,
  settings: Readonly<Record<string, string>>
) {
  yield* copyData(primary, directory)
  const { hostname, password, port, username } = new URL(primary.url)
  appendFileSync(
    join(directory, "postgresql.auto.conf"),
    `primary_conninfo = 'host=${hostname} port=${port} user=${username} password=${password}'\n`
  )
  for (const name of ["postmaster.pid", "postmaster.opts", "server.log"]) rmSync(join(directory, name), { force: true })
  addFile(directory, "standby.signal", "")
  return yield* runEmbeddedPostgres({
    directory,
    port: yield* findFreeBase([0]),
    password,
    isDurable: false,
    settings
  })
})
