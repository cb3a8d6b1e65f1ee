import {
  AuditAction,
  AuditHead,
  type AuditLink,
  type AuditQuery,
  monthAfter,
  monthOf,
  type ServiceAuditRecord,
  type StrayRecord
} from "@care/domain/audit"
import { Actor } from "@care/domain/http"
import type { OrganizationId } from "@care/domain/ids"
import { asSlowRead, newest, type Page, rowsOf } from "@care/service-kit"
import { Effect, Option, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { firstHash } from "./chainHash.ts"
import { isReadable } from "./isReadable.ts"
import { maxKindBits } from "./kindBits.ts"
import { recordOf, StoredRecordRow } from "./makeAuditChains.ts"
import { idBoundOf, lowestIdOf } from "./recordId.ts"

// `candidates` is the number of rows before the page was cut.
const candidates = { candidates: Schema.Int }

const records = rowsOf(
  Schema.Union([
    Schema.Struct({ ...StoredRecordRow.fields, ...candidates }),
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
    month: Schema.NullOr(Schema.Int),
    record: Schema.NullOr(Schema.String),
    ...candidates
  })
)
const months = rowsOf(Schema.Struct({ month: Schema.Int }))
const scanned = rowsOf(
  Schema.Struct({ id: Schema.String, record: Schema.NullOr(Schema.String), isStray: Schema.Boolean })
)

/** A page of records. `archivedMonths` are those of the filter, whose records are in an archive. */
export interface PageOfRecords extends Page<ServiceAuditRecord> {
  readonly archivedMonths?: ReadonlyArray<number>
}

const decodeRecord = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.toCodecJson(StoredRecordRow)))

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

const lowestId = "00000000-0000-0000-0000-000000000000"

/** SQL that reads the audit of a service. Each read is one statement, by an index. */
export const makeAuditRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const fieldsOfRecord = sql.literal(
    "action, actor_type, actor_id, case_id, user_id, request_id, to_jsonb(kinds) AS kinds, shown_case_ids, shown_user_ids"
  )
  const fieldsOfEntry = sql.literal(`action, actor_type, coalesce(actor_uuid::text, actor_name) AS actor_id, case_id,
    user_id, coalesce(request_uuid::text, request_name) AS request_id, to_jsonb(kinds) AS kinds, shown_case_ids,
    shown_user_ids`)

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

  // The next organization with an end, a link or a record. It is also found if the row of its end was removed.
  const organizationAfter = (id: Statement.Fragment) =>
    sql`least(${sql.csv(
      ["audit_heads", "audit_links", "audit_records", "audit_entries", "audit_waiting"].map(
        (table) =>
          sql`(SELECT organization_id FROM ${sql(table)} WHERE organization_id > ${id} ORDER BY organization_id LIMIT 1)`
      )
    )})`

  const isReadableRecord = isReadable(sql)
  const isReadableEntry = sql.and([
    sql`action = ANY(${AuditAction.literals}::text[])`,
    sql`actor_type = ANY(${Actor.fields.type.literals}::text[])`,
    sql`kinds BETWEEN 0 AND ${maxKindBits}`,
    sql`num_nonnulls(request_uuid, request_name) = 1`
  ])

  // The conditions of a query on whose data it is.
  const conditionsOnSubject = ({ caseId, userId }: AuditQuery) => [
    ...(caseId === undefined ? [] : [sql`case_id = ${caseId}`]),
    ...(userId === undefined ? [] : [sql`user_id = ${userId}`])
  ]

  // The conditions of a query on a moment. Ids of entries are in the order of their moments, which the indexes by subject have to the week only.
  const conditionsOnTime = ({ cursor = newest, from, to }: AuditQuery, id: Statement.Fragment) => [
    sql`(at, ${id}) < (${cursor.createdAt}, ${cursor.id})`,
    ...(from === undefined ? [] : [sql`at >= ${from}`]),
    ...(to === undefined ? [] : [sql`at < ${to}`])
  ]
  const week = sql.literal("date_trunc('week', at AT TIME ZONE 'UTC')")
  const weekOf = (moment: Date) => sql`date_trunc('week', ${moment.toISOString().slice(0, 10)}::timestamp)`
  const conditionsOnEntry = ({ cursor = newest, from, to }: AuditQuery, id: Statement.Fragment) => [
    sql`${id} < ${idBoundOf(cursor)}::uuid`,
    ...(from === undefined ? [] : [sql`${id} >= ${lowestIdOf(from)}::uuid`, sql`month >= ${monthOf(from)}`]),
    ...(to === undefined ? [] : [sql`${id} < ${lowestIdOf(to)}::uuid`])
  ]
  const conditionsOnWeek = ({ cursor = newest, from }: AuditQuery) => [
    sql`${week} <= ${weekOf(cursor.createdAt)}`,
    ...(from === undefined ? [] : [sql`${week} >= ${weekOf(from)}`])
  ]

  const ofOrganization = sql`organization_id = organizations.id`
  const ofAction = sql`action = actions.name`
  const ofOneAction = ({ action }: AuditQuery) => (action === undefined ? [] : [sql`action = ${action}`])
  const isFirst = ({ caseId }: AuditQuery) => (caseId === undefined ? [sql`is_first_of_user`] : [])

  // The positions of records of version 1. A list is found by the cases and patients that it showed, once.
  const recordsOfVersion1 = (query: AuditQuery, limit: number) => sql`
    SELECT at, id, NULL::integer AS month FROM audit_records
    WHERE ${sql.and([ofOrganization, ...conditionsOnSubject(query), ofAction, ...conditionsOnTime(query, sql.literal("id"))])}
    ORDER BY at DESC, id DESC
    LIMIT ${limit}
  `
  const listsOfVersion1 = (query: AuditQuery, limit: number) => sql`
    SELECT at, record_id AS id, NULL::integer AS month FROM audit_shown
    WHERE ${sql.and([
      ofOrganization,
      ...conditionsOnSubject(query),
      ofAction,
      ...conditionsOnTime(query, sql.literal("record_id")),
      ...isFirst(query)
    ])}
    ORDER BY at DESC, record_id DESC
    LIMIT ${limit}
  `

  // The same of entries, without a subject, or with one.
  const entriesOfAction = (query: AuditQuery, limit: number) => sql`
    SELECT at, id, month FROM audit_entries
    WHERE ${sql.and([ofOrganization, ofAction, ...conditionsOnEntry(query, sql.literal("id"))])}
    ORDER BY id DESC
    LIMIT ${limit}
  `
  const entriesOfSubject = (query: AuditQuery, limit: number) => sql`
    SELECT action, at, id, month FROM audit_entries
    WHERE ${sql.and([
      ofOrganization,
      ...conditionsOnSubject(query),
      ...ofOneAction(query),
      ...conditionsOnWeek(query),
      ...conditionsOnEntry(query, sql.literal("id"))
    ])}
    ORDER BY ${week} DESC, id DESC
    LIMIT ${limit}
  `
  const listsOfSubject = (query: AuditQuery, limit: number) => sql`
    SELECT action, at, entry_id AS id, month FROM audit_entry_cases
    WHERE ${sql.and([
      ofOrganization,
      ...conditionsOnSubject(query),
      ...ofOneAction(query),
      ...conditionsOnWeek(query),
      ...conditionsOnEntry(query, sql.literal("entry_id")),
      ...isFirst(query)
    ])}
    ORDER BY ${week} DESC, entry_id DESC
    LIMIT ${limit}
  `

  const waitingRecords = (query: AuditQuery, limit: number) => {
    const subject = conditionsOnSubject(query)
    const isOfSubject =
      subject.length === 0
        ? []
        : [
            sql`(${sql.and(subject)} OR EXISTS (
              SELECT FROM unnest(shown_case_ids, shown_user_ids) AS list (case_id, user_id) WHERE ${sql.and(subject)}
            ))`
          ]
    return sql`
      SELECT action, at, id, NULL::integer AS month FROM audit_waiting
      WHERE ${sql.and([
        ofOrganization,
        ...isOfSubject,
        ...ofOneAction(query),
        ...conditionsOnTime(query, sql.literal("id")),
        isReadableRecord,
        // It was moved to the database twice, and has its link.
        sql`NOT EXISTS (
          SELECT FROM audit_entries e
          WHERE e.organization_id = audit_waiting.organization_id AND e.action = audit_waiting.action
            AND e.id = audit_waiting.id
        )`
      ])}
      ORDER BY at DESC, id DESC
      LIMIT ${limit}
    `
  }

  // The months of a filter that have been archived. Records are in the month in which they were linked: their own, or the next one.
  const archivedMonthsOf = ({ from, organizationId, to }: AuditQuery) =>
    Effect.map(
      months.all(sql`
        SELECT DISTINCT month FROM audit_checkpoints
        WHERE ${sql.and([
          ...(organizationId === undefined ? [] : [sql`organization_id = ${organizationId}`]),
          sql`archived_at IS NOT NULL`,
          ...(from === undefined ? [] : [sql`month >= ${monthOf(from)}`]),
          ...(to === undefined ? [] : [sql`month <= ${monthAfter(monthOf(to))}`])
        ])}
        ORDER BY month
      `),
      (rows) => rows.map(({ month }) => month)
    )

  return {
    /**
     * Returns a page of records, newest first, and the months of the filter whose records are in an archive. It merges the newest records of each action in each organization, or of a case or patient, so
     * that no query scans others. Records that no service can have written are left out: the verification of the chains finds them. A page
     * ends early if its lists showed very many cases.
     */
    page: (query: AuditQuery): Effect.Effect<PageOfRecords> => {
      const { action, caseId, limit, organizationId, userId } = query
      const organizations =
        organizationId === undefined
          ? sql`
              WITH RECURSIVE owners AS (
                SELECT ${organizationAfter(sql`${lowestId}::uuid`)} AS id
                UNION ALL
                SELECT ${organizationAfter(sql.literal("owners.id"))} FROM owners WHERE id IS NOT NULL
              )
              SELECT id FROM owners WHERE id IS NOT NULL
            `
          : sql`SELECT ${organizationId}::uuid AS id`
      const isFiltered = caseId !== undefined || userId !== undefined
      return records
        .all(
          sql`
            SELECT * FROM (
              SELECT positions.organization_id, positions.at, positions.id, r.*, count(*) OVER ()::int AS candidates,
                     sum(cardinality(shown_case_ids)) OVER (
                       ORDER BY at DESC, id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
                     ) AS shown_before
              FROM (
                SELECT organizations.id AS organization_id, found.action AS action_of_record, found.at, found.id, found.month
                FROM (${organizations}) AS organizations
                CROSS JOIN LATERAL (
                  SELECT actions.name AS action, of_action.*
                  FROM unnest(${action === undefined ? AuditAction.literals : [action]}::text[]) AS actions (name)
                  CROSS JOIN LATERAL (
                    (${recordsOfVersion1(query, limit + 1)})
                    UNION ALL (${isFiltered ? listsOfVersion1(query, limit + 1) : entriesOfAction(query, limit + 1)})
                  ) AS of_action
                  ${
                    isFiltered
                      ? sql`UNION ALL (${entriesOfSubject(query, limit + 1)}) UNION ALL (${listsOfSubject(query, limit + 1)})`
                      : sql.literal("")
                  }
                  UNION ALL (${waitingRecords(query, limit + 1)})
                ) AS found
                ORDER BY at DESC, id DESC
                LIMIT ${limit + 1}
              ) AS positions
              LEFT JOIN LATERAL (
                SELECT ${fieldsOfEntry} FROM audit_entries
                WHERE organization_id = positions.organization_id AND action = positions.action_of_record
                  AND id = positions.id AND month = positions.month AND ${isReadableEntry}
                UNION ALL
                SELECT ${fieldsOfRecord} FROM audit_records
                WHERE organization_id = positions.organization_id AND id = positions.id AND positions.month IS NULL
                  AND ${isReadableRecord}
                UNION ALL
                SELECT ${fieldsOfRecord} FROM audit_waiting
                WHERE organization_id = positions.organization_id AND id = positions.id AND positions.month IS NULL
                  AND ${isReadableRecord}
                LIMIT 1
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
          // After the page, so that a month that was archived meanwhile is named.
          Effect.flatMap((page) =>
            Effect.map(archivedMonthsOf(query), (archivedMonths) => ({
              ...page,
              ...(archivedMonths.length > 0 && { archivedMonths })
            }))
          ),
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
          WHERE organization_id = ${organizationId} AND id > ${after ?? lowestId} AND NOT ${isReadableRecord}
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
