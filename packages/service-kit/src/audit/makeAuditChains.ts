import { AuditHead, ServiceAuditRecord } from "@care/domain/audit"
import type { OrganizationId } from "@care/domain/ids"
import { Effect, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { inBackground } from "../sql/Background.ts"
import { inTransaction } from "../sql/inTransaction.ts"
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
const records = rowsOf(RecordRow)
const heads = rowsOf(AuditHead)

/**
 * Puts the records of a service that wait into the chains of their organizations, in the order of their times as far as they
 * are there, and answers how many. One process does it at a time.
 */
export const makeAuditChains = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const takeTurn = turns.one(sql`
    SELECT pg_try_advisory_xact_lock(hashtext('care audit ' || current_schema())) AS taken
  `)

  const takeRecords = records.all(
    sql`
    WITH taken AS (
      DELETE FROM audit_unlinked
      WHERE ctid = ANY(ARRAY(SELECT ctid FROM audit_unlinked LIMIT ${mostLinkedAtOnce}))
      RETURNING organization_id, record_id
    )
    SELECT r.* FROM taken
    CROSS JOIN LATERAL (
      SELECT * FROM audit_records WHERE organization_id = taken.organization_id AND id = taken.record_id
    ) r
    ORDER BY r.at, r.id
  `.unprepared
  )

  const headsOf = (organizationIds: ReadonlyArray<OrganizationId>) =>
    heads.all(sql`
      SELECT organization_id, count, encode(hash, 'hex') AS hash FROM audit_heads
      WHERE organization_id = ANY(${organizationIds}::uuid[])
    `)

  const insert = (links: ReadonlyArray<unknown>, ends: ReadonlyArray<AuditHead>) =>
    execute(sql`
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
    `)

  const linkSome = Effect.gen(function* () {
    const { taken } = yield* takeTurn
    if (!taken) return 0
    const waiting = (yield* takeRecords).map(recordOf)
    if (waiting.length === 0) return 0
    const organizationIds = [...new Set(waiting.map(({ organizationId }) => organizationId))]
    const known = new Map((yield* headsOf(organizationIds)).map((head) => [head.organizationId, head]))
    const links = waiting.map((record) => {
      const { organizationId } = record
      const before = known.get(organizationId) ?? { count: 0, hash: firstHash }
      const count = before.count + 1
      const hash = chainHash(before.hash, count, record)
      known.set(organizationId, { organizationId, count, hash })
      return { organizationId, number: count, recordId: record.id, hash }
    })
    yield* insert(links, [...known.values()])
    return waiting.length
  })

  return inBackground(inTransaction(sql)(linkSome)).pipe(
    Effect.repeat({ until: (count) => count < mostLinkedAtOnce }),
    Effect.asVoid
  )
})
