import { spawn } from "node:child_process"
import { chownSync, closeSync, openSync, readFileSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import type { ServiceName } from "@care/domain/peers"
import { findFreeBase } from "@care/sandbox"
import type { Pooler } from "@care/service-kit"
import { Effect } from "effect"
import { endOf, killGroup } from "../../../packages/sandbox/src/childProcess.ts"
import { postgresAccount } from "../../../packages/sandbox/src/postgresBinaries.ts"
import { stopWithParent } from "../../../packages/sandbox/src/stopWithParent.ts"
import { pgBouncerEnvironment, pgBouncerVersion } from "../../pgBouncer.ts"

/** A running pooler: its address, the value of `DATABASE_POOLER` for it, and the file with a line for each connection to it. */
export interface RunningPooler {
  readonly host: string
  readonly setting: Exclude<Pooler, "session">
  readonly log: string
}

// Fewer connections for a service than it has to the pooler, so that they share.
const poolSize = 6

const isOpen = (port: number): Effect.Effect<boolean> =>
  Effect.callback((resume) => {
    const socket = connect(port, "127.0.0.1")
    const end = (isConnected: boolean) => {
      socket.destroy()
      resume(Effect.succeed(isConnected))
    }
    socket.once("connect", () => end(true))
    socket.once("error", () => end(false))
  })

/** Runs PgBouncer in transaction mode before a PostgreSQL for the roles of these URLs, until the scope closes. */
export const runPgBouncer = Effect.fnUntraced(function* (
  folder: string,
  databaseUrl: string,
  serviceUrls: Readonly<Record<ServiceName, string>>
) {
  const version = pgBouncerVersion()
  if (version === undefined) {
    return yield* Effect.die(new Error("PgBouncer is not installed: install it (Debian: apt-get install pgbouncer)."))
  }
  const keepsPrepared = version[0] > 1 || version[1] >= 21
  const port = yield* findFreeBase([0])
  const target = new URL(databaseUrl)
  const file = join(folder, "pgbouncer.ini")
  const accounts = join(folder, "pgbouncer-accounts.txt")
  const log = join(folder, "pgbouncer.log")
  const lines = Object.values(serviceUrls).map((url) => {
    const { password, username } = new URL(url)
    return `"${username}" "${decodeURIComponent(password)}"\n`
  })
  writeFileSync(accounts, lines.join(""), { mode: 0o600 })
  writeFileSync(
    file,
    `[databases]
* = host=${target.hostname} port=${target.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${accounts}
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 800
server_idle_timeout = 10
server_tls_sslmode = disable
${keepsPrepared ? "max_prepared_statements = 200\n" : ""}`
  )
  const account = postgresAccount()
  if (account !== undefined) chownSync(accounts, account.uid, account.gid)
  const output = openSync(log, "a")
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn("pgbouncer", [file], {
        ...account,
        detached: true,
        stdio: ["ignore", "ignore", output],
        env: pgBouncerEnvironment
      })
    ),
    killGroup
  )
  closeSync(output)
  stopWithParent(child)
  const untilOpen = Effect.gen(function* () {
    while (!(yield* isOpen(port))) yield* Effect.sleep("20 millis")
  })
  const failed = Effect.flatMap(endOf(child), (end) =>
    Effect.die(new Error(`PgBouncer does not start (${end}): ${readFileSync(log, "utf8")}`))
  )
  yield* Effect.raceFirst(untilOpen, failed)
  const pooler: RunningPooler = {
    host: `127.0.0.1:${port}`,
    setting: keepsPrepared ? "transaction" : "transaction-unprepared",
    log
  }
  return pooler
})
