import { peers, type ServiceName } from "@care/domain/peers"
import { databaseUnreachable } from "@care/service-kit/boot"
import { PgClient } from "@effect/sql-pg"
import { Cause, Effect, Record, type Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import { CommandFailed } from "../CommandFailed.ts"
import type { CellUrls } from "./cellDatabasesSetting.ts"

/** A client of the database of each service of a cell. */
export type CellDatabases = Readonly<Record<ServiceName, SqlClient.SqlClient>>

export const serviceNames: ReadonlyArray<ServiceName> = Record.keys(peers)

const unlimited = {
  statement_timeout: "0",
  lock_timeout: "0",
  idle_in_transaction_session_timeout: "0",
  idle_session_timeout: "0",
  TimeZone: "UTC"
}

const connect = (url: Redacted.Redacted, startupParameters: Readonly<Record<string, string>>) =>
  PgClient.makeClient({
    url,
    connectTimeout: "5 seconds",
    applicationName: "care-move",
    prepare: false,
    startupParameters: { ...unlimited, ...startupParameters }
  }).pipe(
    Effect.catchCause((cause) => {
      if (Cause.hasInterrupts(cause)) return Effect.interrupt
      return new CommandFailed({ message: databaseUnreachable(url, cause, "CELL_DATABASES").message })
    })
  )

const connectAll = (urls: CellUrls, startupParameters: Readonly<Record<string, string>>) =>
  Effect.all(Record.map(urls, (url) => connect(url, startupParameters)))

// Sees the rows that are hidden from services (`hideRows`).
const mover = { "care.mover": "on" }

/** Connects to a cell to read what it has, and to change how an organization moves. */
export const connectReader = (urls: CellUrls) => connectAll(urls, mover)

/**
 * Connects to a cell to write or remove rows of an organization. Its sessions check nothing, and run no triggers, because a row was checked
 * where it was made.
 */
export const connectMover = (urls: CellUrls) => connectAll(urls, { ...mover, session_replication_role: "replica" })
