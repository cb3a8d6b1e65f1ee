import { AuditHead, ServiceAuditRecord } from "@care/domain/audit"
import { OrganizationId } from "@care/domain/ids"
import { Data, Effect, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { inBackground } from "../sql/Background.ts"
import { inTransaction } from "../sql/inTransaction.ts"
import { onViolation } from "../sql/onViolation.ts"
import { execute, rowsOf } from "../sql/rows.ts"
import { chainHash, firstHash } from "./chainHash.ts"

const mostLinkedAtOnce = 1000

/** A record as it is stored. */
export const RecordRow = Schema.Struct({
  ...Struct.omit(ServiceAuditRecord.fields, ["actor"]),
  at: Schema.Date,
  actorType: ServiceAuditRecord.fields.actor.fields.type,
  actorId: ServiceAuditRecord.fields.actor.fields.id
})

export const recordOf = ({ actorId, actorType, ...row }: typeof RecordRow.Type): ServiceAuditRecord => ({
  ...row,
  actor: { type: actorType, id: actorId }
})

const turns = rowsOf(Schema.Struct({ taken: Schema.Boolean }))
const records = rowsOf(Schema.Union([RecordRow, Schema.Struct({ organizationId: OrganizationId, id: Schema.String })]))
const heads = rowsOf(Schema.Struct({ ...AuditHead.fields, isBehind: Schema.Boolean }))
const organizations = rowsOf(Schema.Struct({ organizationId: OrganizationId }))

const unreadable =
  "An audit record that no service writes waited for its chain, and is left out of it: care audit verify names it"
const endRemoved =
  "The end of an audit chain was removed or set back: its records wait until an operator lets it go on (README, Audit)"

const tellOf = (what: string, whose: Readonly<Record<string, unknown>>) =>
  Effect.logError(what).pipe(Effect.annotateLogs(whose))

/** The ends of chains whose links go further, as only somebody else than the service can have made them. */
class ChainsBroken extends Data.TaggedError("ChainsBroken")<{
  readonly organizationIds: ReadonlyArray<OrganizationId>
}> {}

/** A record waits that has its link, as only somebody else than the service can have made it. */
class AlreadyLinked extends Data.TaggedError("AlreadyLinked") {}

/**
 * Puts the records of a service that wait into the chains of their organizations, in the order of their times as far as they
 * are there. One process does it at a time. A chain whose end was removed or set back is left as it is, and none of the others:
 * to go on with it is the operator's decision (docs/decisions/0057-audit.md). A record that no service writes is left out.
 */
export const makeAuditChains = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const broken = new Set<OrganizationId>()

  const takeTurn = turns.one(sql`
    SELECT pg_try_advisory_xact_lock(hashtext('care audit ' || current_schema())) AS taken
  `)

  const takeRecords = Effect.suspend(() =>
    records.all(
      sql`
    WITH taken AS (
      DELETE FROM audit_unlinked
      WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM audit_unlinked WHERE organization_id <> ALL(${[...broken]}::uuid[]) LIMIT ${mostLinkedAtOnce}
      ))
      RETURNING organization_id, record_id
    )
    SELECT r.* FROM taken
    CROSS JOIN LATERAL (
      SELECT * FROM audit_records WHERE organization_id = taken.organization_id AND id = taken.record_id
    ) r
    ORDER BY r.at, r.id
  `.unprepared
    )
  )

  const headsOf = (organizationIds: ReadonlyArray<OrganizationId>) =>
    heads.all(sql`
      SELECT organization_id, coalesce(count, 0) AS count, coalesce(encode(hash, 'hex'), ${firstHash}) AS hash,
             EXISTS (
               SELECT FROM audit_links l
               WHERE l.organization_id = whose.organization_id AND l.number > coalesce(count, 0)
             ) AS is_behind
      FROM unnest(${organizationIds}::uuid[]) AS whose (organization_id)
      LEFT JOIN audit_heads USING (organization_id)
    `)

  const mended = (organizationIds: ReadonlyArray<OrganizationId>) =>
    organizations.all(sql`
      SELECT organization_id FROM audit_heads h
      WHERE organization_id = ANY(${organizationIds}::uuid[]) AND NOT EXISTS (
        SELECT FROM audit_links l WHERE l.organization_id = h.organization_id AND l.number > h.count
      )
    `)

  const insert = (links: ReadonlyArray<unknown>, ends: ReadonlyArray<AuditHead>) =>
    sql`
      WITH linked AS (
        INSERT INTO audit_links (organization_id, number, record_id, hash)
        SELECT "organizationId", number, "recordId", decode(hash, 'hex')
        FROM jsonb_to_recordset(${JSON.stringify(links)}::jsonb)
          AS given ("organizationId" uuid, number integer, "recordId" uuid, hash text)
      )
      INSERT INTO audit_heads (organization_id, count, hash)
      SELECT "organizationId", count, decode(hash, 'hex')
      FROM jsonb_to_recordset(${JSON.stringify(ends)}::jsonb) AS given ("organizationId" uuid, count integer, hash text)
      ON CONFLICT (organization_id) DO UPDATE SET count = excluded.count, hash = excluded.hash
    `.pipe(
      onViolation("audit_links_organization_id_record_id_key", () => Effect.fail(new AlreadyLinked())),
      execute
    )

  const forgetLinked = execute(sql`
    DELETE FROM audit_unlinked u USING audit_links l
    WHERE l.organization_id = u.organization_id AND l.record_id = u.record_id
  `)

  const linkSome = Effect.gen(function* () {
    const { taken } = yield* takeTurn
    if (!taken) return 0
    const found = yield* takeRecords
    if (found.length === 0) return 0
    const waiting = found.flatMap((row) => ("action" in row ? [recordOf(row)] : []))
    const organizationIds = [...new Set(waiting.map(({ organizationId }) => organizationId))]
    const ends = yield* headsOf(organizationIds)
    const behind = ends.filter(({ isBehind }) => isBehind)
    if (behind.length > 0) {
      return yield* new ChainsBroken({ organizationIds: behind.map(({ organizationId }) => organizationId) })
    }
    const known = new Map(ends.map(({ count, hash, organizationId }) => [organizationId, { count, hash }]))
    const links = waiting.map((record) => {
      const { organizationId } = record
      const before = known.get(organizationId) ?? { count: 0, hash: firstHash }
      const count = before.count + 1
      const hash = chainHash(before.hash, count, record)
      known.set(organizationId, { count, hash })
      return { organizationId, number: count, recordId: record.id, hash }
    })
    if (links.length > 0)
      yield* insert(
        links,
        [...known].map(([organizationId, end]) => ({ organizationId, ...end }))
      )
    for (const row of found) if (!("action" in row)) yield* tellOf(unreadable, row)
    return found.length
  })

  // Nothing was linked: the next look leaves those chains out.
  const leaveOut = Effect.fnUntraced(function* ({ organizationIds }: ChainsBroken) {
    for (const organizationId of organizationIds) {
      broken.add(organizationId)
      yield* tellOf(endRemoved, { organizationId })
    }
    return mostLinkedAtOnce
  })

  const leaveLinked = Effect.gen(function* () {
    yield* Effect.logError("Audit records that have their links waited for them again, and are left as they are")
    yield* forgetLinked
    return mostLinkedAtOnce
  })

  const forgetMended = Effect.gen(function* () {
    for (const { organizationId } of yield* mended([...broken])) broken.delete(organizationId)
  })

  const link = inTransaction(sql)(linkSome).pipe(
    Effect.catchTags({ ChainsBroken: leaveOut, AlreadyLinked: () => leaveLinked }),
    Effect.repeat({ until: (count) => count < mostLinkedAtOnce })
  )
  return inBackground(
    Effect.andThen(
      Effect.suspend(() => (broken.size > 0 ? forgetMended : Effect.void)),
      link
    )
  ).pipe(Effect.asVoid)
})
