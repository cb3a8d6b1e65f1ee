import { AuditHead, type AuditLink, type ServiceAuditRecord, type StrayRecord } from "@care/domain/audit"
import type { OrganizationId } from "@care/domain/ids"
import { asSlowRead, type Page, rowsOf } from "@care/service-kit"
import { Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { firstHash } from "../chainHash.ts"
import { isReadable } from "../isReadable.ts"
import { recordOf, StoredRecordRow } from "../makeAuditChains.ts"
import { candidates, cutPage, maxShownAPage } from "./cutPage.ts"
import { lowestId, organizationAfter } from "./organizationAfter.ts"

const heads = rowsOf(AuditHead)
const links = rowsOf(
  Schema.Struct({
    number: Schema.Int,
    recordId: Schema.String,
    hash: Schema.String,
    month: Schema.NullOr(Schema.Int),
    record: Schema.NullOr(Schema.String),
    ...candidates
  })
)
const scanned = rowsOf(
  Schema.Struct({ id: Schema.String, record: Schema.NullOr(Schema.String), isStray: Schema.Boolean })
)

const decodeRecord = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.toCodecJson(StoredRecordRow)))

// Null if there is no record, or one that no service can have written.
const readRecord = (json: string | null): ServiceAuditRecord | null =>
  Option.getOrNull(Option.map(decodeRecord(json), recordOf))

// Ends a page of links before the first of several with one number, so that they are on one page.
const withoutSplitNumber = <Row extends { readonly number: number }>(
  rows: ReadonlyArray<Row>,
  limit: number
): ReadonlyArray<Row> => {
  const [last, next] = [rows[limit - 1], rows[limit]]
  if (last === undefined || last.number !== next?.number) return rows
  const whole = rows.filter(({ number }) => number !== last.number)
  return whole.length === 0 ? rows : whole
}

/** Makes the functions that read the chains: their ends, their links with their records, and records without a link. */
export const makeChainReads = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const jsonWith = (actorId: string, requestId: string) =>
    sql.literal(`json_build_object(
      'organizationId', r.organization_id, 'id', r.id, 'at', r.at, 'action', r.action, 'actorType', r.actor_type,
      'actorId', ${actorId}, 'caseId', r.case_id, 'userId', r.user_id, 'requestId', ${requestId}, 'kinds', r.kinds,
      'shownCaseIds', r.shown_case_ids, 'shownUserIds', r.shown_user_ids
    )::text`)
  const recordAsJson = jsonWith("r.actor_id", "r.request_id")
  const entryAsJson = jsonWith(
    "coalesce(r.actor_uuid::text, r.actor_name)",
    "coalesce(r.request_uuid::text, r.request_name)"
  )

  return {
    /**
     * Returns the ends of chains by organization: of one organization, or of all that have records or links. A missing end is an empty one.
     */
    heads: (organizationId: OrganizationId | undefined, after: string | undefined, limit: number) =>
      asSlowRead(
        heads.all(sql`
          WITH RECURSIVE found AS (
            SELECT ${organizationAfter(sql, sql`${after ?? lowestId}::uuid`)} AS id, 1 AS number
            UNION ALL
            SELECT ${organizationAfter(sql, sql.literal("found.id"))}, number + 1 FROM found
            WHERE id IS NOT NULL AND number < ${limit}
          )
          SELECT organizations.id AS organization_id, coalesce(count, 0)::float8 AS count,
                 coalesce(encode(hash, 'hex'), ${firstHash}) AS hash
          FROM ${organizationId === undefined ? sql.literal("found") : sql`(SELECT ${organizationId}::uuid AS id)`} AS organizations
          LEFT JOIN audit_heads ON audit_heads.organization_id = organizations.id
          WHERE organizations.id > ${after ?? lowestId}::uuid
          ORDER BY organizations.id
        `)
      ),

    /**
     * Returns the links of a chain after a number, with their readable records: all, or those of a month that is over. A page ends early if
     * its lists showed very many cases.
     */
    links: (
      organizationId: OrganizationId,
      after: number,
      limit: number,
      month?: number
    ): Effect.Effect<Page<AuditLink, number>> => {
      const isOfMonth = month === undefined ? [] : [sql`month = ${month}`]
      // The numbers that processes of version 1 linked in the month.
      const isInMonth =
        month === undefined
          ? []
          : [
              sql`number > (
                SELECT count_before FROM audit_checkpoints WHERE organization_id = ${organizationId} AND month = ${month}
              )`,
              sql`number <= (
                SELECT count FROM audit_checkpoints WHERE organization_id = ${organizationId} AND month = ${month}
              )`
            ]
      return links
        .all(sql`
          SELECT number::float8 AS number, record_id, hash, month, record, candidates FROM (
            SELECT *, count(*) OVER ()::int AS candidates,
                   sum(shown) OVER (ORDER BY number ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS shown_before
            FROM (
              (
                SELECT r.number, r.id AS record_id, encode(r.hash, 'hex') AS hash, r.month, ${entryAsJson} AS record,
                       cardinality(r.shown_case_ids) AS shown
                FROM audit_entries r
                WHERE ${sql.and([sql`organization_id = ${organizationId}`, sql`number > ${after}`, ...isOfMonth])}
                ORDER BY number, month
                LIMIT ${limit + 1}
              )
              UNION ALL
              SELECT l.number, l.record_id, encode(l.hash, 'hex'), NULL,
                     CASE WHEN r.id IS NOT NULL THEN ${recordAsJson} END, cardinality(r.shown_case_ids)
              FROM (
                SELECT * FROM audit_links
                WHERE ${sql.and([sql`organization_id = ${organizationId}`, sql`number > ${after}`, ...isInMonth])}
                ORDER BY number
                LIMIT ${limit + 1}
              ) l
              LEFT JOIN audit_records r ON r.organization_id = l.organization_id AND r.id = l.record_id
              ORDER BY number, month NULLS FIRST
              LIMIT ${limit + 1}
            ) AS linked
          ) AS found
          WHERE coalesce(shown_before, 0) < ${maxShownAPage}
          ORDER BY number, month NULLS FIRST
        `)
        .pipe(
          Effect.map((rows) => cutPage(withoutSplitNumber(rows, limit), limit, ({ number }) => number)),
          Effect.map(({ data, nextCursor }) => ({
            data: data.map(
              ({ candidates: _, month, record, ...link }): AuditLink => ({
                ...link,
                ...(month !== null && { month }),
                record: readRecord(record)
              })
            ),
            nextCursor
          })),
          asSlowRead
        )
    },

    /**
     * Returns records after an id, by id, that have no link and do not wait for one: in the tables of version 1, and those that no service
     * links because it does not know what they have.
     */
    strays: (organizationId: OrganizationId, after: string | undefined, limit: number) =>
      asSlowRead(
        scanned.all(
          sql`
          SELECT r.id, l.is_there IS NULL AND u.is_there IS NULL AS is_stray,
                 CASE WHEN l.is_there IS NULL AND u.is_there IS NULL THEN ${recordAsJson} END AS record
          FROM (
            SELECT * FROM audit_records WHERE organization_id = ${organizationId} AND id > ${after ?? lowestId}
            ORDER BY id
            LIMIT ${limit}
          ) r
          LEFT JOIN LATERAL (
            SELECT true AS is_there FROM audit_links WHERE organization_id = r.organization_id AND record_id = r.id LIMIT 1
          ) l ON true
          LEFT JOIN LATERAL (
            SELECT true AS is_there FROM audit_unlinked WHERE organization_id = r.organization_id AND record_id = r.id LIMIT 1
          ) u ON true
          UNION ALL
          SELECT id, true, NULL FROM audit_waiting
          WHERE organization_id = ${organizationId} AND id > ${after ?? lowestId} AND NOT ${isReadable(sql)}
          ORDER BY id
          LIMIT ${limit}
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
