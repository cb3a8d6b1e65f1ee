import { Config, Effect, Redacted, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { BootError } from "../config/BootError.ts"
import { setting } from "../config/settings.ts"
import { databaseHost } from "./databaseFailure.ts"
import { rowsOf } from "./rows.ts"

const poolers = ["session", "transaction", "transaction-unprepared"] as const

/** What a connection of a service is: a session of PostgreSQL, or one of a pooler in transaction mode, which keeps prepared statements or does not. */
export type Pooler = (typeof poolers)[number]

export const poolerSetting = setting<Pooler>(
  (name) => Config.Literals(poolers, name),
  "DATABASE_POOLER",
  "session",
  "the pooler before PostgreSQL: `session` (or none), `transaction` or `transaction-unprepared` ([which](operations.md#a-pooler))"
)

interface PoolerOptions {
  readonly pooler: Pooler
  readonly schema: string
  readonly url: Redacted.Redacted
  /** The time limit that connections without a pooler set. */
  readonly statementSeconds: number
}

const Session = Schema.Struct({
  role: Schema.String,
  schema: Schema.NullOr(Schema.String),
  timeout: Schema.String,
  keepsNames: Schema.Boolean
})

// The driver names its statements effect_..., and a pooler that keeps them gives them names of its own.
const sessionOf = (sql: SqlClient.SqlClient) =>
  rowsOf(Session).one(sql`
    SELECT current_user AS role, current_schema() AS schema, current_setting('statement_timeout') AS timeout,
           EXISTS (
             SELECT FROM pg_prepared_statements WHERE name LIKE 'effect\\_%' AND statement LIKE '%AS keeps_names%'
           ) AS keeps_names
  `)

const wrong = (
  { pooler, schema, statementSeconds, url }: PoolerOptions,
  { keepsNames, role, timeout, ...session }: typeof Session.Type
) => {
  const host = databaseHost(Redacted.value(url))
  if (pooler === "session") {
    if (timeout === `${statementSeconds}s`) return undefined
    return `A pooler at ${host} drops what a session sets: set DATABASE_POOLER to transaction, or to transaction-unprepared if it keeps no prepared statements.`
  }
  if (session.schema !== schema || timeout === "0") {
    return `Behind a pooler each service needs a role of its own that brings its schema and its time limits, and ${role} at ${host} does not: run ALTER ROLE "${role}" SET search_path = ${schema}, SET statement_timeout = '60s' and SET idle_in_transaction_session_timeout = '15s' the same way, and let the pooler connect again.`
  }
  if (pooler === "transaction" && keepsNames) {
    return `There is no pooler at ${host} that keeps prepared statements (PgBouncer does from 1.21 on, with max_prepared_statements above 0): set DATABASE_POOLER to transaction-unprepared, or to session if there is no pooler.`
  }
  return undefined
}

/** Refuses a pooler that is not the one of the setting, and a role that does not bring what a session would set. */
export const refuseWrongPooler = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, options: PoolerOptions) {
  const message = wrong(options, yield* sessionOf(sql))
  if (message !== undefined) return yield* new BootError({ message })
})
