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
import { asSlowRead, newest, type Page, rowsOf } from "@care/service-kit"
import { Effect, Option, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { firstHash } from "./chainHash.ts"
import { RecordRow, recordOf } from "./makeAuditChains.ts"

// `candidates` is the number of rows before the page was cut.
const candidates = { candidates: Schema.Int }

const records = rowsOf(
  Schema.Union([
    Schema.Struct({ ...RecordRow.fields, ...candidates }),
    // Only the position of a record that no service can have written.
    Schema.Struct({ at: Schema.Date, id: Schema.String, action: Schema.Null, ...candidates })
  ])
)
const heads = rowsOf(AuditHead)
const links = rowsOf(
  Schema.Struct({
    number: Schema.Int,
    recordId: Schema.String,
    hash: Schema.String,
    record: Schema.NullOr(Schema.String),
    ...candidates
  })
)
const scanned = rowsOf(
  Schema.Struct({ id: Schema.String, record: Schema.NullOr(Schema.String), isStray: Schema.Boolean })
)

const decodeRecord = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.toCodecJson(RecordRow)))

// Null if there is no record, or one that no service can have written.
const readRecord = (json: string | null): ServiceAuditRecord | null =>
  Option.getOrNull(Option.map(decodeRecord(json), recordOf))

/** About how many cases the lists on one page may name. */
const maxShownAPage = 10_000

// Rows beyond the limit, or beyond the cases that a page may name, belong to the next page.
const cutPage = <Row extends { readonly candidates: number }, Position>(
  rows: ReadonlyArray<Row>,
  limit: number,
  positionOf: (row: Row) => Position
): Page<Row, Position> => {
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  return { data, nextCursor: last !== undefined && last.candidates > data.length ? positionOf(last) : null }
}

const lowestId = "00000000-0000-0000-0000-000000000000"

/** SQL that reads the audit of a service. Each read is one statement, by an index. */
export const makeAuditRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const shown = sql.literal(
    "action, actor_type, actor_id, case_id, user_id, request_id, kinds, shown_case_ids, shown_user_ids"
  )

  const asJson = sql.literal(`json_build_object(
    'organizationId', r.organization_id, 'id', r.id, 'at', r.at, 'action', r.action, 'actorType', r.actor_type,
    'actorId', r.actor_id, 'caseId', r.case_id, 'userId', r.user_id, 'requestId', r.request_id, 'kinds', r.kinds,
    'shownCaseIds', r.shown_case_ids, 'shownUserIds', r.shown_user_ids
  )::text`)

  // The next organization with an end, a link or a record. It is also found if the row of its end was removed.
  const organizationAfter = (id: Statement.Fragment) => sql`least(
    (SELECT organization_id FROM audit_heads WHERE organization_id > ${id} ORDER BY organization_id LIMIT 1),
    (SELECT organization_id FROM audit_links WHERE organization_id > ${id} ORDER BY organization_id LIMIT 1),
    (SELECT organization_id FROM audit_records WHERE organization_id > ${id} ORDER BY organization_id LIMIT 1)
  )`

  // The conditions of a query on a record, or on the cases of a list.
  const conditionsOf = ({ caseId, cursor = newest, from, to, userId }: AuditQuery, id: Statement.Fragment) => [
    sql`organization_id = organizations.id`,
    ...(caseId === undefined ? [] : [sql`case_id = ${caseId}`]),
    ...(userId === undefined ? [] : [sql`user_id = ${userId}`]),
    sql`action = actions.name`,
    sql`(at, ${id}) < (${cursor.createdAt}, ${cursor.id})`,
    ...(from === undefined ? [] : [sql`at >= ${from}`]),
    ...(to === undefined ? [] : [sql`at < ${to}`])
  ]

  const isReadable = sql.and([
    sql`actor_type = ANY(${Actor.fields.type.literals}::text[])`,
    sql`kinds <@ ${DataKind.literals}::text[]`
  ])

  // The positions of records. A list is found by the cases and patients that it showed, once.
  const positionsOf = (query: AuditQuery, limit: number) => sql`
    SELECT at, id FROM audit_records WHERE ${sql.and(conditionsOf(query, sql.literal("id")))}
    ORDER BY at DESC, id DESC
    LIMIT ${limit}
  `
  const positionsOfLists = (query: AuditQuery, limit: number) => sql`
    SELECT at, record_id AS id FROM audit_shown WHERE ${sql.and(conditionsOf(query, sql.literal("record_id")))}
      ${query.caseId === undefined ? sql.literal("AND is_first_of_user") : sql.literal("")}
    ORDER BY at DESC, record_id DESC
    LIMIT ${limit}
  `

  return {
    /**
     * Returns a page of records, newest first. It merges the newest records of each action in each organization, so that no query scans
     * others. Records that no service can have written are left out: the verification of the chains finds them. A page ends early if its
     * lists showed very many cases.
     */
    page: (query: AuditQuery): Effect.Effect<Page<ServiceAuditRecord>> => {
      const { action, caseId, limit, organizationId, userId } = query
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
      const isFiltered = caseId !== undefined || userId !== undefined
      return records
        .all(
          sql`
            SELECT * FROM (
              SELECT positions.*, ${shown}, count(*) OVER ()::int AS candidates,
                     sum(cardinality(shown_case_ids)) OVER (
                       ORDER BY at DESC, id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
                     ) AS shown_before
              FROM (
                SELECT organizations.id AS organization_id, found.at, found.id
                FROM (${organizations}) AS organizations
                CROSS JOIN unnest(${action === undefined ? AuditAction.literals : [action]}::text[]) AS actions (name)
                CROSS JOIN LATERAL (
                  (${positionsOf(query, limit + 1)})
                  ${isFiltered ? sql`UNION ALL (${positionsOfLists(query, limit + 1)})` : sql.literal("")}
                ) AS found
                ORDER BY at DESC, id DESC
                LIMIT ${limit + 1}
              ) AS positions
              LEFT JOIN LATERAL (
                SELECT ${shown} FROM audit_records
                WHERE organization_id = positions.organization_id AND id = positions.id AND ${isReadable}
              ) AS r ON true
            ) AS found
            WHERE coalesce(shown_before, 0) < ${maxShownAPage}
            ORDER BY at DESC, id DESC
          `.unprepared
        )
        .pipe(
          Effect.map((rows) => cutPage(rows, limit, ({ at, id }) => ({ createdAt: at, id }))),
          Effect.map(({ data, nextCursor }) => ({
            data: data.flatMap((row) => (row.action === null ? [] : [recordOf(row)])),
            nextCursor
          })),
          asSlowRead
        )
    },

    /**
     * Returns the ends of chains by organization: of one organization, or of all that have records or links. A missing end is an empty one.
     */
    heads: (organizationId: OrganizationId | undefined, after: string | undefined, limit: number) =>
      asSlowRead(
        heads.all(sql`
          WITH RECURSIVE found AS (
            SELECT ${organizationAfter(sql`${after ?? lowestId}::uuid`)} AS id, 1 AS number
            UNION ALL
            SELECT ${organizationAfter(sql.literal("found.id"))}, number + 1 FROM found
            WHERE id IS NOT NULL AND number < ${limit}
          )
          SELECT organizations.id AS organization_id, coalesce(count, 0) AS count,
                 coalesce(encode(hash, 'hex'), ${firstHash}) AS hash
          FROM ${organizationId === undefined ? sql.literal("found") : sql`(SELECT ${organizationId}::uuid AS id)`} AS organizations
          LEFT JOIN audit_heads ON audit_heads.organization_id = organizations.id
          WHERE organizations.id > ${after ?? lowestId}::uuid
          ORDER BY organizations.id
        `)
      ),

    /** Returns the links of a chain after a number, with their readable records. A page ends early if its lists showed very many cases. */
    links: (organizationId: OrganizationId, after: number, limit: number): Effect.Effect<Page<AuditLink, number>> =>
      links
        .all(sql`
          SELECT number, record_id, hash, record, candidates FROM (
            SELECT l.number, l.record_id, encode(l.hash, 'hex') AS hash,
                   CASE WHEN r.id IS NOT NULL THEN ${asJson} END AS record, count(*) OVER ()::int AS candidates,
                   sum(cardinality(r.shown_case_ids)) OVER (
                     ORDER BY l.number ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
                   ) AS shown_before
            FROM (
              SELECT * FROM audit_links WHERE organization_id = ${organizationId} AND number > ${after}
              ORDER BY number
              LIMIT ${limit + 1}
            ) l
            LEFT JOIN audit_records r ON r.organization_id = l.organization_id AND r.id = l.record_id
          ) AS found
          WHERE coalesce(shown_before, 0) < ${maxShownAPage}
          ORDER BY number
        `)
        .pipe(
          Effect.map((rows) => cutPage(rows, limit, ({ number }) => number)),
          Effect.map(({ data, nextCursor }) => ({
            data: data.map(
              ({ candidates: _, record, ...link }): AuditLink => ({ ...link, record: readRecord(record) })
            ),
            nextCursor
          })),
          asSlowRead
        ),

    /** Returns records after an id, by id, that have no link and do not wait for one. */
    strays: (organizationId: OrganizationId, after: string | undefined, limit: number) =>
      asSlowRead(
        scanned.all(
          sql`
          SELECT r.id, l.is_there IS NULL AND u.is_there IS NULL AS is_stray,
                 CASE WHEN l.is_there IS NULL AND u.is_there IS NULL THEN ${asJson} END AS record
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
