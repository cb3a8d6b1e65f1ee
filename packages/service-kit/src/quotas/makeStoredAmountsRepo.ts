import { StoredKind } from "@care/domain/http"
import { OrganizationId } from "@care/domain/ids"
import { Duration, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { execute, rowsOf } from "../sql/rows.ts"
import type { StoredRows } from "./Quotas.ts"

const StoredAmount = Schema.Struct({ organizationId: OrganizationId, kind: StoredKind })
export type StoredAmount = typeof StoredAmount.Type

const counted = rowsOf(Schema.Struct({ until: Schema.Date }))
const times = rowsOf(Schema.Struct({ time: Schema.Date }))
const storedAmounts = rowsOf(StoredAmount)
const amounts = rowsOf(Schema.Struct({ kind: StoredKind, amount: Schema.Number }))

// How far clocks of machines differ.
const skewMillis = 60_000

export type Allowed = ReadonlyMap<StoredKind, number>

/** SQL of the stored amounts of organizations. No statement that reads them is prepared, because tables grow. */
export const makeStoredAmountsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const sumOf = ({ bytes }: StoredRows) => (bytes === undefined ? sql`count(*)` : sql`coalesce(sum(${sql(bytes)}), 0)`)
  // As texts, because the driver gives an array the type of its first number.
  const isReached = (allowed: Allowed) => sql`
    EXISTS (
      SELECT FROM unnest(${[...allowed.keys()]}::text[], ${Array.from(allowed.values(), String)}::text[]::float8[]) AS quota (kind, allowed)
      WHERE quota.kind = stored_amounts.kind AND stored_amounts.amount >= quota.allowed
    )
  `
  return {
    begin: (kinds: ReadonlyArray<StoredKind>) =>
      execute(sql`
        INSERT INTO stored_counts (kind, until) SELECT kind, to_timestamp(0) FROM unnest(${kinds}::text[]) AS kind
        ORDER BY kind
        ON CONFLICT (kind) DO NOTHING
      `),

    /** Locks the count of a kind, and returns until when rows are counted. Returns none while another transaction has the lock. */
    lockCount: (kind: StoredKind) =>
      counted.first(sql`SELECT until FROM stored_counts WHERE kind = ${kind} FOR UPDATE SKIP LOCKED`),

    /** Returns the time of the row after a number of rows in a range of time, or none if the range has fewer rows. */
    timeAfter: (stored: StoredRows, from: Date, to: Date, rows: number) =>
      times.first(
        sql`
          SELECT ${sql(stored.since)} AS time FROM ${sql(stored.table)}
          WHERE ${sql(stored.since)} >= ${from} AND ${sql(stored.since)} < ${to}
          ORDER BY ${sql(stored.since)} OFFSET ${rows} LIMIT 1
        `.unprepared
      ),

    /** Adds the rows of a range of time. */
    add: (stored: StoredRows, from: Date, to: Date, now: Date) =>
      execute(
        sql`
          INSERT INTO stored_amounts (organization_id, kind, amount, recounted_at)
          SELECT organization_id, ${stored.kind}, ${sumOf(stored)}, ${now}::timestamptz FROM ${sql(stored.table)}
          WHERE ${sql(stored.since)} >= ${from} AND ${sql(stored.since)} < ${to}
          GROUP BY organization_id
          ON CONFLICT (organization_id, kind) DO UPDATE SET amount = stored_amounts.amount + excluded.amount
        `.unprepared
      ),

    setCounted: (kind: StoredKind, until: Date) =>
      execute(sql`UPDATE stored_counts SET until = ${until} WHERE kind = ${kind}`),

    /** Returns some amounts whose quota is reached, and whose full count is older than a time: the oldest first. */
    dueReached: (allowed: Allowed, before: Date, limit: number) =>
      storedAmounts.all(
        sql`
          SELECT organization_id, kind FROM stored_amounts WHERE recounted_at < ${before} AND ${isReached(allowed)}
          ORDER BY recounted_at LIMIT ${limit}
        `.unprepared
      ),

    /** Returns some amounts whose quota is not reached, and whose full count is older than a time: the oldest first. */
    dueUsual: (allowed: Allowed, before: Date, limit: number) =>
      storedAmounts.all(
        sql`
          SELECT organization_id, kind FROM stored_amounts
          WHERE kind = ANY(${[...allowed.keys()]}::text[]) AND recounted_at < ${before} AND NOT ${isReached(allowed)}
          ORDER BY recounted_at LIMIT ${limit}
        `.unprepared
      ),

    /** Sets the time of the last full count, so that the next one comes later: one time for a reached quota, another for others. */
    postpone: (
      allowed: Allowed,
      { kind, organizationId }: StoredAmount,
      recountedAt: { readonly usual: Date; readonly reached: Date }
    ) =>
      execute(
        sql`
          UPDATE stored_amounts
          SET recounted_at = CASE WHEN ${isReached(allowed)} THEN ${recountedAt.reached}::timestamptz ELSE ${recountedAt.usual}::timestamptz END
          WHERE organization_id = ${organizationId} AND kind = ${kind}
        `.unprepared
      ),

    /**
     * Makes a full count of the rows of an organization until a time, and of those that a sandbox stored with the time of its clock, which is
     * ahead. It reads an index of the organization.
     */
    recount: (stored: StoredRows, organizationId: OrganizationId, until: Date, now: Date) => {
      const { age } = stored
      const isYoung =
        age === undefined
          ? sql.literal("true")
          : sql`${sql(stored.since)} > ${new Date(now.getTime() - Duration.toMillis(age))}`
      return execute(
        sql`
          UPDATE stored_amounts SET recounted_at = ${now}, amount =
            (SELECT ${sumOf(stored)} FROM ${sql(stored.table)} WHERE organization_id = ${organizationId} AND ${isYoung})
            - (
              SELECT ${sumOf(stored)} FROM ${sql(stored.table)}
              WHERE organization_id = ${organizationId} AND ${sql(stored.since)} >= ${until}
                AND ${sql(stored.since)} < ${new Date(now.getTime() + skewMillis)}
            )
          WHERE organization_id = ${organizationId} AND kind = ${stored.kind}
        `.unprepared
      )
    },

    /** Makes the next step count an amount in full. */
    recountSoon: (organizationId: OrganizationId, kind: StoredKind) =>
      execute(sql`
        INSERT INTO stored_amounts (organization_id, kind, amount, recounted_at)
        VALUES (${organizationId}, ${kind}, 0, to_timestamp(0))
        ON CONFLICT (organization_id, kind) DO UPDATE SET recounted_at = excluded.recounted_at
      `),

    reached: (allowed: Allowed) =>
      storedAmounts.all(sql`SELECT organization_id, kind FROM stored_amounts WHERE ${isReached(allowed)}`.unprepared),

    amountsOf: (organizationId: OrganizationId) =>
      amounts.all(sql`
        SELECT kind, amount::float8 AS amount FROM stored_amounts WHERE organization_id = ${organizationId}
      `)
  }
})
