import { affects, execute, rowsOf } from "@care/service-kit"
import { Duration, Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"

const cursors = rowsOf(Schema.Struct({ cursor: Schema.String }))
const times = rowsOf(Schema.Struct({ now: Schema.Date }))

const lease = Duration.seconds(15)

/** A third of the lease, so that one lost renewal does not end it. */
export const leaseRenewal = Duration.seconds(5)

/** SQL of the sweeps of a service. The one sweep that holds the lease runs. */
export const makeSweepsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // The clock of the database decides when a lease expires. A time that is a moment old keeps a lease at most that moment longer.
  const atDatabaseTime = <A>(change: (now: Date, expiresAt: Date) => Effect.Effect<A>) =>
    Effect.flatMap(times.one(sql`SELECT clock_timestamp() AS now`), ({ now }) =>
      change(now, new Date(now.getTime() + Duration.toMillis(lease)))
    )

  return {
    /** Claims the lease, in one statement, so that one of two parallel claims wins. Returns false while another sweep holds it. */
    claim: (holder: string) =>
      atDatabaseTime((now, expiresAt) =>
        affects(sql`
        INSERT INTO reconciliation_leases AS lease (name, holder, expires_at) VALUES ('sweep', ${holder}, ${expiresAt})
        ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
        WHERE lease.expires_at < ${now}
        RETURNING name
      `)
      ),

    release: (holder: string) => execute(sql`DELETE FROM reconciliation_leases WHERE holder = ${holder}`),

    cursorOf: (source: string) =>
      cursors
        .first(sql`SELECT cursor FROM reconciliation_cursors WHERE source = ${source}`)
        .pipe(Effect.map(Option.map(({ cursor }) => cursor)), Effect.map(Option.getOrUndefined)),

    /** Extends the lease. Returns false if it was lost. */
    extend: (holder: string) =>
      atDatabaseTime((now, expiresAt) =>
        affects(sql`
        UPDATE reconciliation_leases SET expires_at = ${expiresAt}
        WHERE holder = ${holder} AND expires_at > ${now}
        RETURNING name
      `)
      ),

    /** Stores the cursor of a source, and extends the lease. Returns false, and stores nothing, if the lease was lost. */
    move: (holder: string, source: string, cursor: string) =>
      atDatabaseTime((now, expiresAt) =>
        affects(sql`
        WITH held AS (
          UPDATE reconciliation_leases SET expires_at = ${expiresAt}
          WHERE holder = ${holder} AND expires_at > ${now}
          RETURNING name
        )
        INSERT INTO reconciliation_cursors (source, cursor, moved_at)
        SELECT ${source}, ${cursor}, ${now}::timestamptz FROM held
        ON CONFLICT (source) DO UPDATE SET cursor = excluded.cursor, moved_at = excluded.moved_at
        RETURNING source
      `)
      )
  }
})
