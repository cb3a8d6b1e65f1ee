import { StoredKind } from "@care/domain/http"
import { OrganizationId } from "@care/domain/ids"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { execute, rowsOf } from "../sql/rows.ts"
import type { StoredRows } from "./StoredRows.ts"

/** What an organization stores of a kind. */
const StoredPlace = Schema.Struct({ organizationId: OrganizationId, kind: StoredKind })
export type StoredPlace = typeof StoredPlace.Type

const turns = rowsOf(Schema.Struct({ until: Schema.Date }))
const times = rowsOf(Schema.Struct({ time: Schema.Date }))
const places = rowsOf(StoredPlace)
const amounts = rowsOf(Schema.Struct({ kind: StoredKind, amount: Schema.Number }))

/** How much of each kind an organization may store. */
export type Allowed = ReadonlyMap<StoredKind, number>

/** SQL of how much organizations store. None of it is prepared: tables grow. */
export const makeStoredAmountsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const amountOf = ({ bytes }: StoredRows) =>
    bytes === undefined ? sql`count(*)` : sql`coalesce(sum(${sql(bytes)}), 0)`
  // As texts: the driver takes an array to be of the type of its first number, which may be a small one.
  const isReached = (allowed: Allowed) => sql`
    EXISTS (
      SELECT FROM unnest(${[...allowed.keys()]}::text[], ${Array.from(allowed.values(), String)}::text[]::float8[]) AS quota (kind, allowed)
      WHERE quota.kind = stored_amounts.kind AND stored_amounts.amount >= quota.allowed
    )
  `
  return {
    /** Whoever counts what is stored first begins before everything. */
    begin: (kinds: ReadonlyArray<StoredKind>) =>
      execute(sql`
        INSERT INTO stored_counts (kind, until) SELECT kind, to_timestamp(0) FROM unnest(${kinds}::text[]) AS kind
        ORDER BY kind
        ON CONFLICT (kind) DO NOTHING
      `),

    /** Until when rows of a kind are counted, which nobody else goes on with until the transaction ends; none when somebody does. */
    takeTurn: (kind: StoredKind) =>
      turns.first(sql`SELECT until FROM stored_counts WHERE kind = ${kind} FOR UPDATE SKIP LOCKED`),

    /** When what follows so many rows was stored, of those from a time on and before another; none when no more do. */
    timeAfter: (stored: StoredRows, from: Date, to: Date, rows: number) =>
      times.first(
        sql`
          SELECT ${sql(stored.since)} AS time FROM ${sql(stored.table)}
          WHERE ${sql(stored.since)} >= ${from} AND ${sql(stored.since)} < ${to}
          ORDER BY ${sql(stored.since)} OFFSET ${rows} LIMIT 1
        `.unprepared
      ),

    /** Adds what was stored from a time on and before another. */
    add: (stored: StoredRows, from: Date, to: Date, now: Date) =>
      execute(
        sql`
          INSERT INTO stored_amounts (organization_id, kind, amount, recounted_at)
          SELECT organization_id, ${stored.kind}, ${amountOf(stored)}, ${now}::timestamptz FROM ${sql(stored.table)}
          WHERE ${sql(stored.since)} >= ${from} AND ${sql(stored.since)} < ${to}
          GROUP BY organization_id
          ON CONFLICT (organization_id, kind) DO UPDATE SET amount = stored_amounts.amount + excluded.amount
        `.unprepared
      ),

    endTurn: (kind: StoredKind, until: Date) =>
      execute(sql`UPDATE stored_counts SET until = ${until} WHERE kind = ${kind}`),

    /** Some amounts whose quota is reached, and that were counted whole before a time: the oldest count first. */
    dueReached: (allowed: Allowed, before: Date, limit: number) =>
      places.all(
        sql`
          SELECT organization_id, kind FROM stored_amounts WHERE recounted_at < ${before} AND ${isReached(allowed)}
          ORDER BY recounted_at LIMIT ${limit}
        `.unprepared
      ),

    /** The same of amounts whose quota is not reached. */
    dueUsual: (allowed: Allowed, before: Date, limit: number) =>
      places.all(
        sql`
          SELECT organization_id, kind FROM stored_amounts
          WHERE kind = ANY(${[...allowed.keys()]}::text[]) AND recounted_at < ${before} AND NOT ${isReached(allowed)}
          ORDER BY recounted_at LIMIT ${limit}
        `.unprepared
      ),

    /** Has an amount counted whole later, as if it had been counted at one of two times: whether its quota is reached says which. */
    putOff: (
      allowed: Allowed,
      { kind, organizationId }: StoredPlace,
      as: { readonly usual: Date; readonly reached: Date }
    ) =>
      execute(
        sql`
          UPDATE stored_amounts
          SET recounted_at = CASE WHEN ${isReached(allowed)} THEN ${as.reached}::timestamptz ELSE ${as.usual}::timestamptz END
          WHERE organization_id = ${organizationId} AND kind = ${kind}
        `.unprepared
      ),

    /** Counts whole what is stored of an organization: what is in an index of the organization, but for what is not yet counted. */
    recount: (stored: StoredRows, organizationId: OrganizationId, until: Date, now: Date) =>
      execute(
        sql`
          UPDATE stored_amounts SET recounted_at = ${now}, amount =
            (SELECT ${amountOf(stored)} FROM ${sql(stored.table)} WHERE organization_id = ${organizationId})
            - (
              SELECT ${amountOf(stored)} FROM ${sql(stored.table)}
              WHERE organization_id = ${organizationId} AND ${sql(stored.since)} >= ${until}
            )
          WHERE organization_id = ${organizationId} AND kind = ${stored.kind}
        `.unprepared
      ),

    /** Has what an organization stores of a kind counted whole next. */
    recountSoon: (organizationId: OrganizationId, kind: StoredKind) =>
      execute(sql`
        INSERT INTO stored_amounts (organization_id, kind, amount, recounted_at)
        VALUES (${organizationId}, ${kind}, 0, to_timestamp(0))
        ON CONFLICT (organization_id, kind) DO UPDATE SET recounted_at = excluded.recounted_at
      `),

    reached: (allowed: Allowed) =>
      places.all(sql`SELECT organization_id, kind FROM stored_amounts WHERE ${isReached(allowed)}`.unprepared),

    of: (organizationId: OrganizationId) =>
      amounts.all(sql`
        SELECT kind, amount::float8 AS amount FROM stored_amounts WHERE organization_id = ${organizationId}
      `)
  }
})
