import { PgClient } from "@effect/sql-pg"
import { Effect, Stream } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection } from "effect/sql"

type Connection = SqlConnection.Connection

const literal = (value: unknown): string =>
  typeof value === "number" ? String(value) : `'${String(value).replaceAll("'", "''")}'`

const withValues = (text: string, params: ReadonlyArray<unknown>): string =>
  text.trim().replace(/\$(\d+)/g, (_, index) => literal(params[Number(index) - 1]))

/** Sends `SELECT` to a client, and collects all other statements instead of sending them. */
class RecordingConnection implements Connection {
  readonly statements: Array<string> = []
  readonly sql: SqlClient.SqlClient

  constructor(sql: SqlClient.SqlClient) {
    this.sql = sql
  }

  execute(...[text, params, transform]: Parameters<Connection["execute"]>) {
    return Effect.map(this.executeRaw(text, params), (rows) => transform?.(rows) ?? rows)
  }

  executeUnprepared(...parameters: Parameters<Connection["executeUnprepared"]>) {
    return this.execute(...parameters)
  }

  executeRaw(text: string, params: ReadonlyArray<unknown>) {
    if (/^\s*SELECT\b/i.test(text)) return this.sql.unsafe<object>(text, params)
    return Effect.sync((): ReadonlyArray<object> => {
      this.statements.push(withValues(text, params))
      return []
    })
  }

  executeValues(text: string, params: ReadonlyArray<unknown>) {
    return Effect.map(this.executeRaw(text, params), (rows) => rows.map((row) => Object.values(row)))
  }

  executeValuesUnprepared(text: string, params: ReadonlyArray<unknown>) {
    return this.executeValues(text, params)
  }

  executeStream(...parameters: Parameters<Connection["executeStream"]>) {
    return Stream.fromIterableEffect(this.execute(...parameters))
  }
}

/**
 * Runs a change with a client that sends `SELECT` only, and returns the statements that it would have sent besides. The session should be
 * read-only, so that no function which a `SELECT` calls can write.
 */
export const recordStatements = Effect.fnUntraced(function* <E>(change: Effect.Effect<void, E, SqlClient.SqlClient>) {
  const connection = new RecordingConnection(yield* SqlClient.SqlClient)
  const recording = yield* SqlClient.make({
    acquirer: Effect.succeed(connection),
    compiler: PgClient.makeCompiler(),
    spanAttributes: []
  }).pipe(Effect.provide(Reactivity.layer))
  yield* Effect.provideService(change, SqlClient.SqlClient, recording)
  return connection.statements
})
