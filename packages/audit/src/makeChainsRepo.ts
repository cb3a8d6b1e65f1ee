import { AuditHead } from "@care/domain/audit"
import { execute, onViolation, rowsOf } from "@care/service-kit"
import { Data, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { chainHashOfLine, firstHash, organizationOf } from "./chainHash.ts"
import { makeCheckpoints } from "./makeCheckpoints.ts"
import { rowsOfLines } from "./recorded.ts"

const turns = rowsOf(Schema.Struct({ taken: Schema.Boolean }))

/**
 * The end of a chain. `month` is that of its last entry, or null if it has none; then `archived` is the last month of the service that has
 * been archived, or null. `isBehind` says that the chain has links after it: somebody
 * has changed the end.
 */
const End = Schema.Struct({
  ...AuditHead.fields,
  month: Schema.NullOr(Schema.Int),
  archived: Schema.NullOr(Schema.Int),
  isBehind: Schema.Boolean
})
type End = typeof End.Type
const chainEnds = rowsOf(End)
const ids = rowsOf(Schema.Struct({ id: Schema.String }))

/** A waiting record already has a link: somebody has changed the tables. */
export class AlreadyLinked extends Data.TaggedError("AlreadyLinked") {}

/** One of the records is an entry already. */
export class AlreadyStored extends Data.TaggedError("AlreadyStored") {}

/** The record of an entry: its line (`recordLine`), and what is stored beside it. */
export interface AuditEntry {
  readonly line: string
  readonly month: number
  readonly kindBits: number
}

/** Computes the links of lines in their order, each after the end of its organization's chain. Returns the rows and the new ends. */
const linkLines = <Line extends Pick<AuditEntry, "line">>(lines: ReadonlyArray<Line>, ends: ReadonlyArray<End>) => {
  const heads = new Map<string, End>(ends.map((end) => [end.organizationId, end]))
  const rows = lines.map(({ line, ...beside }) => {
    const organizationId = organizationOf(line)
    const end = heads.get(organizationId)
    if (end === undefined) throw new Error(`No end was read for the chain of ${organizationId}`)
    const number = end.count + 1
    const hash = chainHashOfLine(end.hash, number, line)
    heads.set(organizationId, { ...end, count: number, hash, ...beside })
    return `${line.slice(0, -1)},${JSON.stringify({ ...beside, number, hash }).slice(1)}`
  })
  return { rows, heads: [...heads.values()] }
}

// Ids of organizations, keys and requests are nearly always UUIDs, as this writes them.
const uuidForm = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"

export const makeChainsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const checkpoints = yield* makeCheckpoints

  const storeEnds = (heads: ReadonlyArray<End>) => sql`
    INSERT INTO audit_heads (organization_id, count, hash, month)
    SELECT "organizationId", count, decode(hash, 'hex'), month
    FROM jsonb_to_recordset(${JSON.stringify(heads)}::jsonb)
      AS ends ("organizationId" uuid, count bigint, hash text, month integer)
    ON CONFLICT (organization_id) DO UPDATE SET count = excluded.count, hash = excluded.hash, month = excluded.month
  `

  return {
    /** Takes the turn to link until the transaction ends. Returns false while another transaction has it. */
    takeTurn: Effect.map(
      turns.one(sql`SELECT pg_try_advisory_xact_lock(hashtext('care audit ' || current_schema())) AS taken`),
      ({ taken }) => taken
    ),

    /** Returns the ends of the chains of some lines. A chain that does not exist yet has an empty end. */
    endsOf: (lines: ReadonlyArray<string>) => {
      const organizationIds = [...new Set(lines.map(organizationOf))]
      return chainEnds.all(sql`
        SELECT organization_id, coalesce(count, 0)::float8 AS count, coalesce(encode(hash, 'hex'), ${firstHash}) AS hash,
               month, CASE WHEN month IS NULL THEN (
                 SELECT max(c.month) FROM audit_checkpoints c WHERE c.archived_at IS NOT NULL
               ) END AS archived, EXISTS (
                 SELECT FROM audit_entries e
                 WHERE e.organization_id = whose.organization_id AND e.number > coalesce(count, 0)
               ) OR EXISTS (
                 SELECT FROM audit_links l
                 WHERE l.organization_id = whose.organization_id AND l.number > coalesce(count, 0)
               ) AS is_behind
        FROM unnest(${organizationIds}::uuid[]) AS whose (organization_id)
        LEFT JOIN audit_heads USING (organization_id)
      `)
    },

    /** Returns the ids of records that are entries. None of them is older than `month`. */
    storedIds: (
      records: ReadonlyArray<{ readonly organizationId: string; readonly action: string; readonly id: string }>,
      month: number
    ) =>
      ids.all(
        sql`
          SELECT given.id FROM unnest(
            ${records.map(({ organizationId }) => organizationId)}::uuid[],
            ${records.map(({ action }) => action)}::text[],
            ${records.map(({ id }) => id)}::uuid[]
          ) AS given (organization_id, action, id)
          CROSS JOIN LATERAL (
            SELECT FROM audit_entries e
            WHERE e.organization_id = given.organization_id AND e.action = given.action AND e.id = given.id
              AND month >= ${month}
            LIMIT 1
          ) AS stored
        `.unprepared
      ),

    /** Stores records as entries, linked in their order. The first entry of a chain in a month ends the month before. */
    store: (entries: ReadonlyArray<AuditEntry>, ends: ReadonlyArray<End>) => {
      const { heads, rows } = linkLines(entries, ends)
      const monthOfHead = new Map<string, number | null>(
        heads.map(({ month, organizationId }) => [organizationId, month])
      )
      const ended = ends.flatMap(({ archived: _, isBehind: __, month, ...end }) =>
        month !== null && month < (monthOfHead.get(end.organizationId) ?? month) ? [{ ...end, month }] : []
      )
      const storeEntries = execute(
        sql`
          WITH given AS MATERIALIZED (SELECT * FROM ${rowsOfLines(sql, rows)}), stored AS (
            INSERT INTO audit_entries (
              organization_id, number, id, at, month, kinds, case_id, user_id, actor_uuid, request_uuid, hash, action,
              actor_type, actor_name, request_name, shown_case_ids, shown_user_ids
            )
            SELECT "organizationId", number, id, at, month, "kindBits", "caseId", "userId",
                   CASE WHEN "actorId" ~ ${uuidForm} THEN "actorId"::uuid END,
                   CASE WHEN "requestId" ~ ${uuidForm} THEN "requestId"::uuid END,
                   decode(hash, 'hex'), action, "actorType",
                   CASE WHEN "actorId" !~ ${uuidForm} THEN "actorId" END,
                   CASE WHEN "requestId" !~ ${uuidForm} THEN "requestId" END,
                   "shownCaseIds", "shownUserIds"
            FROM given
          ), listed AS (
            INSERT INTO audit_entry_cases (organization_id, entry_id, at, month, action, case_id, user_id, is_first_of_user)
            SELECT "organizationId", id, at, month, action, case_id, user_id,
                   row_number() OVER (PARTITION BY "organizationId", id, user_id) = 1
            FROM given CROSS JOIN LATERAL unnest("shownCaseIds", "shownUserIds") AS list (case_id, user_id)
          )
          ${storeEnds(heads)}
        `.pipe(onViolation(/^audit_entries_/, () => Effect.fail(new AlreadyStored())))
      )
      return Effect.andThen(checkpoints.store(ended), storeEntries)
    },

    /** Links records that version 1 stored, given by their lines. */
    linkRecordsOfVersion1: (lines: ReadonlyArray<string>, ends: ReadonlyArray<End>) => {
      const { heads, rows } = linkLines(
        lines.map((line) => ({ line })),
        ends
      )
      return execute(
        sql`
          WITH given AS MATERIALIZED (SELECT * FROM ${rowsOfLines(sql, rows)}), linked AS (
            INSERT INTO audit_links (organization_id, number, record_id, hash)
            SELECT "organizationId", number, id, decode(hash, 'hex') FROM given
          )
          ${storeEnds(heads)}
        `.pipe(onViolation("audit_links_organization_id_record_id_key", () => Effect.fail(new AlreadyLinked())))
      )
    }
  }
})
