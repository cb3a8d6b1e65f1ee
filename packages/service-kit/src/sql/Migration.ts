import type { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

/** The change of a migration to the schema of its service. */
export type Change = Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient>

/**
 * A migration that PostgreSQL refuses inside a transaction, such as `concurrentIndex`. It may be killed between any two of
 * its statements, and has to do the right thing when it is run again.
 */
export class OutsideTransaction {
  readonly change: Change

  constructor(change: Change) {
    this.change = change
  }
}

export type Migration = Change | OutsideTransaction
