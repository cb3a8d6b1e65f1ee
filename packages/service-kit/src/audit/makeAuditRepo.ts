import {
  AuditAction,
  AuditHead,
  type AuditLink,
  type AuditQuery,
  DataKind,
  type ServiceAuditRecord,
  type StrayRecord
} from "@care/domain/audit"
import { Actor } from "@care/domain/http"
import type { OrganizationId } from "@care/domain/ids"
import { Effect, Option, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { inBackground } from "../sql/Background.ts"
import { newest } from "../sql/page.ts"
import { rowsOf } from "../sql/rows.ts"
import { firstHash } from "./chainHash.ts"
import { RecordRow, recordOf } from "./makeAuditChains.ts"

const records = rowsOf(RecordRow)
const heads = rowsOf(AuditHead)
const links = rowsOf(
  Schema.Struct({
    number: Schema.Int,
    recordId: Schema.String,
    hash: Schema.String,
    record: Schema.NullOr(Schema.String)
  })
)
const looked = rowsOf(Schema.Struct({ id: Schema.String, record: Schema.String, isStray: Schema.Boolean }))

const decodeRecord = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.toCodecJson(RecordRow)))

// Null when there is none, or one that no service writes.
const readRecord = (json: string | null): ServiceAuditRecord | null =>
  Option.getOrNull(Option.map(decodeRecord(json), recordOf))

const nobodyYet = "00000000-0000-0000-0000-000000000000"

/** SQL of what is asked about the audit of a service, in the background: never more than a statement, by an index. */
export const makeAuditRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const shown = sql.literal(
    "organization_id, id, at, action, actor_type, actor_id, case_id, user_id, request_id, kinds"
  )

  const asJson = sql.literal(`json_build_object(
    'organizationId', r.organization_id, 'id', r.id, 'at', r.at, 'action', r.action, 'actorType', r.actor_type,
    'actorId', r.actor_id, 'caseId', r.case_id, 'userId', r.user_id, 'requestId', r.request_id, 'kinds', r.kinds
  )::text`)

  // The next organization of which there is anything: an end whose row somebody removed is no reason not to look.
  const organizationAfter = (id: Statement.Fragment) => sql`least(
    (SELECT organization_id FROM audit_heads WHERE organization_id > ${id} ORDER BY organization_id LIMIT 1),
    (SELECT organization_id FROM audit_links WHERE organization_id > ${id} ORDER BY organization_id LIMIT 1),
    (SELECT organization_id FROM audit_records WHERE organization_id > ${id} ORDER BY organization_id LIMIT 1)
  )`

  return {
    /**
     * Newest first: the newest of each action in each organization, and the newest of those, so that nothing is looked
     * through whatever is asked for. What no service writes is left out: it is a finding of whoever verifies the chains.
     */
    page: ({ action, caseId, cursor = newest, from, limit, organizationId, to, userId }: AuditQuery) => {
      const conditions = [
        sql`organization_id = organizations.id`,
        ...(caseId === undefined ? [] : [sql`case_id = ${caseId}`]),
        ...(userId === undefined ? [] : [sql`user_id = ${userId}`]),
        sql`action = actions.name`,
        sql`actor_type = ANY(${Actor.fields.type.literals}::text[])`,
        sql`kinds <@ ${DataKind.literals}::text[]`,
        sql`(at, id) < (${cursor.createdAt}, ${cursor.id})`,
        ...(from === undefined ? [] : [sql`at >= ${from}`]),
        ...(to === undefined ? [] : [sql`at < ${to}`])
      ]
      const organizations =
        organizationId === undefined
          ? sql`
              WITH RECURSIVE owners AS (
                (SELECT organization_id AS id FROM audit_records ORDER BY organization_id LIMIT 1)
                UNION ALL
                SELECT (
                  SELECT organization_id FROM audit_records
                  WHERE organization_id > owners.id ORDER BY organization_id LIMIT 1
                ) FROM owners WHERE id IS NOT NULL
              )
              SELECT id FROM owners WHERE id IS NOT NULL
            `
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

    /**
     * The ends of the chains, by organization: of all that have records or links, or of the one that is
     * named; an empty one where there is none.
     */
    heads: (organizationId: OrganizationId | undefined, after: string | undefined, limit: number) =>
      inBackground(
        heads.all(sql`
          WITH RECURSIVE found AS (
            SELECT ${organizationAfter(sql`${after ?? nobodyYet}::uuid`)} AS id, 1 AS number
            UNION ALL
            SELECT ${organizationAfter(sql.literal("found.id"))}, number + 1 FROM found
            WHERE id IS NOT NULL AND number < ${limit}
          )
          SELECT organizations.id AS organization_id, coalesce(count, 0) AS count,
                 coalesce(encode(hash, 'hex'), ${firstHash}) AS hash
          FROM ${organizationId === undefined ? sql.literal("found") : sql`(SELECT ${organizationId}::uuid AS id)`} AS organizations
          LEFT JOIN audit_heads ON audit_heads.organization_id = organizations.id
          WHERE organizations.id > ${after ?? nobodyYet}::uuid
          ORDER BY organizations.id
        `)
      ),

    /** The links of a chain after a number, with what is there of their records, and is such as the service writes. */
    links: (organizationId: OrganizationId, after: number, limit: number) =>
      inBackground(
        links.all(sql`
          SELECT l.number, l.record_id, encode(l.hash, 'hex') AS hash,
                 CASE WHEN r.id IS NOT NULL THEN ${asJson} END AS record
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
          rows.map(
            ({ record, ...link }): AuditLink => ({
              ...link,
              record: readRecord(record)
            })
          )
        )
      ),

    /** So many records after an id, by id: those that are in no chain, and do not wait to be put into one. */
    strays: (organizationId: OrganizationId, after: string | undefined, limit: number) =>
      inBackground(
        looked.all(
          sql`
          SELECT r.id, ${asJson} AS record, l.is_there IS NULL AND u.is_there IS NULL AS is_stray
          FROM (
            SELECT * FROM audit_records WHERE organization_id = ${organizationId} AND id > ${after ?? nobodyYet}
            ORDER BY id
            LIMIT ${limit}
          ) r
          LEFT JOIN LATERAL (
            SELECT true AS is_there FROM audit_links WHERE organization_id = r.organization_id AND record_id = r.id LIMIT 1
          ) l ON true
          LEFT JOIN LATERAL (
            SELECT true AS is_there FROM audit_unlinked WHERE organization_id = r.organization_id AND record_id = r.id LIMIT 1
          ) u ON true
          ORDER BY r.id
        `.unprepared
        )
      ).pipe(
        Effect.map((rows) => ({
          data: rows
            .filter(({ isStray }) => isStray)
            .map(({ id, record }): StrayRecord => ({ recordId: id, record: readRecord(record) })),
          nextCursor: rows.length === limit ? (rows.at(-1)?.id ?? null) : null
        }))
      )
  }
})
