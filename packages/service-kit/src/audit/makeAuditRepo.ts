import { AuditAction, AuditHead, type AuditLink, type AuditQuery } from "@care/domain/audit"
import type { OrganizationId } from "@care/domain/ids"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { inBackground } from "../sql/Background.ts"
import { newest } from "../sql/page.ts"
import { rowsOf } from "../sql/rows.ts"
import { RecordRow, recordOf } from "./makeAuditChains.ts"

const records = rowsOf(RecordRow)
const heads = rowsOf(AuditHead)
const links = rowsOf(
  Schema.Struct({
    number: Schema.Int,
    recordId: Schema.String,
    hash: Schema.String,
    record: Schema.NullOr(Schema.fromJsonString(Schema.toCodecJson(RecordRow)))
  })
)
const looked = rowsOf(Schema.Struct({ ...RecordRow.fields, isStray: Schema.Boolean }))

const nobodyYet = "00000000-0000-0000-0000-000000000000"

/** SQL of what is asked about the audit of a service, in the background: never more than a statement, by an index. */
export const makeAuditRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const shown = sql.literal(
    "organization_id, id, at, action, actor_type, actor_id, case_id, user_id, request_id, kinds"
  )

  return {
    /**
     * Newest first: the newest of each action in each organization, and the newest of those, so that nothing is looked
     * through whatever is asked for.
     */
    page: ({ action, caseId, cursor = newest, from, limit, organizationId, to, userId }: AuditQuery) => {
      const conditions = [
        sql`organization_id = organizations.id`,
        ...(caseId === undefined ? [] : [sql`case_id = ${caseId}`]),
        ...(userId === undefined ? [] : [sql`user_id = ${userId}`]),
        sql`action = actions.name`,
        sql`(at, id) < (${cursor.createdAt}, ${cursor.id})`,
        ...(from === undefined ? [] : [sql`at >= ${from}`]),
        ...(to === undefined ? [] : [sql`at < ${to}`])
      ]
      const organizations =
        organizationId === undefined
          ? sql`SELECT organization_id AS id FROM audit_heads`
          : sql`SELECT ${organizationId}::uuid AS id`
      return inBackground(
        records.all(
          sql`
            SELECT found.* FROM (${organizations}) AS organizations
            CROSS JOIN unnest(${action === undefined ? AuditAction.literals : [action]}::text[]) AS actions (name)
            CROSS JOIN LATERAL (
              SELECT ${shown} FROM audit_records WHERE ${sql.and(conditions)}
              ORDER BY at DESC, id DESC
              LIMIT ${limit}
            ) AS found
            ORDER BY at DESC, id DESC
            LIMIT ${limit}
          `.unprepared
        )
      ).pipe(Effect.map((rows) => rows.map(recordOf)))
    },

    /** The ends of the chains, by organization. */
    heads: (organizationId: OrganizationId | undefined, after: string | undefined, limit: number) =>
      inBackground(
        heads.all(sql`
          SELECT organization_id, count, encode(hash, 'hex') AS hash FROM audit_heads
          WHERE organization_id > ${after ?? nobodyYet}
            ${organizationId === undefined ? sql.literal("") : sql`AND organization_id = ${organizationId}`}
          ORDER BY organization_id
          LIMIT ${limit}
        `)
      ),

    /** The links of a chain after a number, with what is there of their records. */
    links: (organizationId: OrganizationId, after: number, limit: number) =>
      inBackground(
        links.all(sql`
          SELECT l.number, l.record_id, encode(l.hash, 'hex') AS hash,
                 CASE WHEN r.id IS NULL THEN NULL ELSE json_build_object(
                   'organizationId', r.organization_id, 'id', r.id, 'at', r.at, 'action', r.action,
                   'actorType', r.actor_type, 'actorId', r.actor_id, 'caseId', r.case_id, 'userId', r.user_id,
                   'requestId', r.request_id, 'kinds', r.kinds
                 )::text END AS record
          FROM (
            SELECT * FROM audit_links WHERE organization_id = ${organizationId} AND number > ${after}
            ORDER BY number
            LIMIT ${limit}
          ) l
          LEFT JOIN audit_records r ON r.organization_id = l.organization_id AND r.id = l.record_id
          ORDER BY l.number
        `)
      ).pipe(
        Effect.map((rows) =>
          rows.map(({ record, ...link }): AuditLink => ({ ...link, record: record === null ? null : recordOf(record) }))
        )
      ),

    /** So many records after an id, by id: those that are in no chain, and do not wait to be put into one. */
    strays: (organizationId: OrganizationId, after: string | undefined, limit: number) =>
      inBackground(
        looked.all(sql`
          SELECT ${shown}, NOT EXISTS (
                   SELECT FROM audit_links l WHERE l.organization_id = r.organization_id AND l.record_id = r.id
                 ) AND NOT EXISTS (
                   SELECT FROM audit_unlinked u WHERE u.organization_id = r.organization_id AND u.record_id = r.id
                 ) AS is_stray
          FROM audit_records r
          WHERE organization_id = ${organizationId} AND id > ${after ?? nobodyYet}
          ORDER BY id
          LIMIT ${limit}
        `)
      ).pipe(
        Effect.map((rows) => ({
          data: rows.filter(({ isStray }) => isStray).map(({ isStray: _, ...row }) => recordOf(row)),
          nextCursor: rows.length === limit ? (rows.at(-1)?.id ?? null) : null
        }))
      )
  }
})
