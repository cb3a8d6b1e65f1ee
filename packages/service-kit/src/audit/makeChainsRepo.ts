import { AuditHead, type ServiceAuditRecord } from "@care/domain/audit"
import type { OrganizationId } from "@care/domain/ids"
import { Data, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { onViolation } from "../sql/onViolation.ts"
import { execute, rowsOf } from "../sql/rows.ts"
import { chainHash, firstHash } from "./chainHash.ts"
import { insertRecords, rowsOfLines } from "./recorded.ts"

const turns = rowsOf(Schema.Struct({ taken: Schema.Boolean }))

/** The end of a chain, and whether its links go further, as only somebody else than the service can have made them. */
const End = Schema.Struct({ ...AuditHead.fields, isBehind: Schema.Boolean })
const knownEnds = rowsOf(End)

/** A record that is to be linked has its link, as only somebody else than the service can have made it. */
export class AlreadyLinked extends Data.TaggedError("AlreadyLinked") {}

/** A record that is to be stored is there. */
export class AlreadyStored extends Data.TaggedError("AlreadyStored") {}

/** The links of records in their order, each after the end of its organization's chain, and the ends then. */
const linksOf = (records: ReadonlyArray<ServiceAuditRecord>, ends: ReadonlyArray<AuditHead>) => {
  const heads = new Map<OrganizationId, AuditHead>(ends.map((end) => [end.organizationId, end]))
  const links = records.map((record) => {
    const { organizationId } = record
    const before = heads.get(organizationId) ?? { count: 0, hash: firstHash }
    const count = before.count + 1
    const hash = chainHash(before.hash, count, record)
    heads.set(organizationId, { organizationId, count, hash })
    return { record, number: count, hash }
  })
  return { links, heads: [...heads.values()] }
}

/** SQL of the links of records, and of the ends of chains. */
export const makeChainsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // `lines` have a link each; `also` is what else is done with them.
  const extend = (lines: ReadonlyArray<string>, heads: ReadonlyArray<AuditHead>, also = sql.literal("")) =>
    sql`
      WITH given AS MATERIALIZED (SELECT * FROM ${rowsOfLines(sql, lines)}), ${also}
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

  return {
    /** Whether this is the one who links until the transaction ends. */
    takeTurn: Effect.map(
      turns.one(sql`SELECT pg_try_advisory_xact_lock(hashtext('care audit ' || current_schema())) AS taken`),
      ({ taken }) => taken
    ),

    /** The ends of the chains of organizations, also of those that have none yet. */
    endsOf: (records: ReadonlyArray<Pick<ServiceAuditRecord, "organizationId">>) => {
      const organizationIds = [...new Set(records.map(({ organizationId }) => organizationId))]
      return knownEnds.all(sql`
        SELECT organization_id, coalesce(count, 0) AS count, coalesce(encode(hash, 'hex'), ${firstHash}) AS hash,
               EXISTS (
                 SELECT FROM audit_links l
                 WHERE l.organization_id = whose.organization_id AND l.number > coalesce(count, 0)
               ) AS is_behind
        FROM unnest(${organizationIds}::uuid[]) AS whose (organization_id)
        LEFT JOIN audit_heads USING (organization_id)
      `)
    },

    /** Links records that are stored. */
    link: (records: ReadonlyArray<ServiceAuditRecord>, ends: ReadonlyArray<AuditHead>) => {
      const { heads, links } = linksOf(records, ends)
      const lines = links.map(({ hash, number, record: { id, organizationId } }) =>
        JSON.stringify({ organizationId, id, number, hash })
      )
      return execute(extend(lines, heads))
    },

    /** Stores records with their links. `lineOf` each is the line of JSON that it came as, which is told on as it is. */
    store: (
      records: ReadonlyArray<ServiceAuditRecord>,
      lines: ReadonlyArray<string>,
      ends: ReadonlyArray<AuditHead>
    ) => {
      const { heads, links } = linksOf(records, ends)
      const linked = links.map(
        ({ hash, number }, index) => `${lines[index]?.slice(0, -1)},"number":${number},"hash":"${hash}"}`
      )
      return extend(linked, heads, sql`recorded AS (${insertRecords(sql, sql.literal("given"))}),`).pipe(
        onViolation("audit_records_pkey", () => Effect.fail(new AlreadyStored())),
        execute
      )
    }
  }
})
