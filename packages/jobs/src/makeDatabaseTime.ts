import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const decode = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ now: Schema.Date })]))

/** Makes the effect that reads the clock of the database. When jobs are due, and when locks expire, is decided by it alone. */
export const makeDatabaseTime = Effect.map(SqlClient.SqlClient, (sql) =>
  Effect.flatMap(sql`SELECT clock_timestamp() AS now`, (rows) =>
    Effect.orDie(Effect.map(decode(rows), ([{ now }]) => now))
  )
)
