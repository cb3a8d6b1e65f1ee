import { affects, execute, rowsOf } from "@care/service-kit"
import { Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"

const cursors = rowsOf(Schema.Struct({ cursor: Schema.String }))

/** SQL of the sweeps of a service. The one sweep that holds the lease runs. */
export const makeSweepsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // Longer than a sweep can take.
  const expiry = sql.literal("clock_timestamp() + interval '2 minutes'")

  return {
    /** Claims the lease, in one statement, so that one of two parallel claims wins. Returns false while another sweep holds it. */
    claim: (holder: string) =>
      affects(sql`
        INSERT INTO reconciliation_leases AS lease (name, holder, expires_at) VALUES ('sweep', ${holder}, ${expiry})
        ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
        WHERE lease.expires_at < clock_timestamp()
        RETURNING name
      `),

    release: (holder: string) => execute(sql`DELETE FROM reconciliation_leases WHERE holder = ${holder}`),

    cursorOf: (source: string) =>
      cursors
        .first(sql`SELECT cursor FROM reconciliation_cursors WHERE source = ${source}`)
        .pipe(Effect.map(Option.map(({ cursor }) => cursor)), Effect.map(Option.getOrUndefined)),

    /** Extends the lease. Returns false if it was lost. */
    extend: (holder: string) =>
      affects(sql`
        UPDATE reconciliation_leases SET expires_at = ${expiry}
        WHERE holder = ${holder} AND expires_at > clock_timestamp()
        RETURNING name
      `),

    /** Stores the cursor of a source, and extends the lease. Returns false, and stores nothing, if the lease was lost. */
    move: (holder: string, source: string, cursor: string) =>
      affects(sql`
        WITH held AS (
          UPDATE reconciliation_leases SET expires_at = ${expiry}
          WHERE holder = ${holder} AND expires_at > clock_timestamp()
          RETURNING name
        )
        INSERT INTO reconciliation_cursors (source, cursor, moved_at)
        SELECT ${source}, ${cursor}, clock_timestamp() FROM held
        ON CONFLICT (source) DO UPDATE SET cursor = excluded.cursor, moved_at = excluded.moved_at
        RETURNING source
      `)
  }
})
