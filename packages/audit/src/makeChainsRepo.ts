import { AuditHead } from "@care/domain/audit"
import { execute, onViolation, rowsOf } from "@care/service-kit"
import { Data, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { chainHashOfLine, firstHash, organizationOf } from "./chainHash.ts"
import { insertRecords, rowsOfLines } from "./recorded.ts"

const turns = rowsOf(Schema.Struct({ taken: Schema.Boolean }))

/** The end of a chain. `isBehind` says that the chain has links after it: somebody has changed the end. */
const End = Schema.Struct({ ...AuditHead.fields, isBehind: Schema.Boolean })
const chainEnds = rowsOf(End)

/** A waiting record already has a link: somebody has changed the tables. */
export class AlreadyLinked extends Data.TaggedError("AlreadyLinked") {}

class AlreadyStored extends Data.TaggedError("AlreadyStored") {}

/** Computes the links of lines in their order, each after the end of its organization's chain. Returns the rows and the new ends. */
const linkLines = (lines: ReadonlyArray<string>, ends: ReadonlyArray<AuditHead>) => {
  const heads = new Map<string, AuditHead>(ends.map((end) => [end.organizationId, end]))
  const rows = lines.map((line) => {
    const organizationId = organizationOf(line)
    const end = heads.get(organizationId)
    if (end === undefined) throw new Error(`No end was read for the chain of ${organizationId}`)
    const count = end.count + 1
    const hash = chainHashOfLine(end.hash, count, line)
    heads.set(organizationId, { ...end, count, hash })
    return `${line.slice(0, -1)},"number":${count},"hash":"${hash}"}`
  })
  return { rows, heads: [...heads.values()] }
}

export const makeChainsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Stores links and new ends in one statement, with `extraParts` before them.
  const extend = (lines: ReadonlyArray<string>, ends: ReadonlyArray<AuditHead>, extraParts = sql.literal("")) => {
    const { heads, rows } = linkLines(lines, ends)
    return sql`
      WITH given AS MATERIALIZED (SELECT * FROM ${rowsOfLines(sql, rows)}), ${extraParts}
      linked AS (
        INSERT INTO audit_links (organization_id, number, record_id, hash)
        SELECT "organizationId", number, id, decode(hash, 'hex') FROM given
      )
      INSERT INTO audit_heads (organization_id, count, hash)
      SELECT "organizationId", count, decode(hash, 'hex')
      FROM jsonb_to_recordset(${JSON.stringify(heads)}::jsonb)
        AS ends ("organizationId" uuid, count integer, hash text)
      ON CONFLICT (organization_id) DO UPDATE SET count = excluded.count, hash = excluded.hash
    `.pipe(onViolation("audit_links_organization_id_record_id_key", () => Effect.fail(new AlreadyLinked())))
  }

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
        SELECT organization_id, coalesce(count, 0) AS count, coalesce(encode(hash, 'hex'), ${firstHash}) AS hash,
               EXISTS (
                 SELECT FROM audit_links l
                 WHERE l.organization_id = whose.organization_id AND l.number > coalesce(count, 0)
               ) AS is_behind
        FROM unnest(${organizationIds}::uuid[]) AS whose (organization_id)
        LEFT JOIN audit_heads USING (organization_id)
      `)
    },

    /** Links stored records, given by their lines (`recordLine`). */
    link: (lines: ReadonlyArray<string>, ends: ReadonlyArray<AuditHead>) => execute(extend(lines, ends)),

    /** Stores and links records, given by their lines. */
    store: (lines: ReadonlyArray<string>, ends: ReadonlyArray<AuditHead>) =>
      extend(lines, ends, sql`${insertRecords(sql, sql.literal("given"))},`).pipe(
        onViolation("audit_records_pkey", () => Effect.fail(new AlreadyStored())),
        execute
      )
  }
})
