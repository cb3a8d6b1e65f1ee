import type { PgConnection } from "@effect/sql-pg"
import { Effect, Stream } from "effect"
import type { SqlConnection } from "effect/sql"

type Connection = SqlConnection.Connection

/** Adapts a session of the driver to `SqlClient`. The driver does not export its own adapter (4.0.5). */
export class PgSqlConnection implements Connection {
  readonly session: PgConnection.PgConnection

  constructor(session: PgConnection.PgConnection) {
    this.session = session
  }

  execute(...[text, params, transform]: Parameters<Connection["execute"]>) {
    return Effect.map(this.session.query(text, params), ({ rows }) => transform?.(rows) ?? rows)
  }

  executeUnprepared(...[text, params, transform]: Parameters<Connection["executeUnprepared"]>) {
    return Effect.map(this.session.query(text, params, false), ({ rows }) => transform?.(rows) ?? rows)
  }

  executeRaw(text: string, params: ReadonlyArray<unknown>) {
    return this.session.query(text, params)
  }

  executeValues(text: string, params: ReadonlyArray<unknown>) {
    return this.session.queryValues(text, params)
  }

  executeValuesUnprepared(text: string, params: ReadonlyArray<unknown>) {
    return this.session.queryValues(text, params, false)
  }

  executeStream(...[text, params, transform]: Parameters<Connection["executeStream"]>) {
    return Stream.map(this.session.stream(text, params), (row) => transform?.([row])[0] ?? row)
  }
}
