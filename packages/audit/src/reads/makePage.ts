import { AuditAction, type AuditQuery, monthAfter, monthOf, type ServiceAuditRecord } from "@care/domain/audit"
import { Actor } from "@care/domain/http"
import { asSlowRead, type Page, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { isReadable } from "../isReadable.ts"
import { maxKindBits } from "../kindBits.ts"
import { recordOf, StoredRecordRow } from "../makeAuditChains.ts"
import { candidates, cutPage, maxShownAPage } from "./cutPage.ts"
import { lowestId, organizationAfter } from "./organizationAfter.ts"
import { recordPositions } from "./recordPositions.ts"

const records = rowsOf(
  Schema.Union([
    Schema.Struct({ ...StoredRecordRow.fields, ...candidates }),
    // Only the position of a record that no service can have written.
    Schema.Struct({ at: Schema.Date, id: Schema.String, action: Schema.Null, ...candidates })
  ])
)
const months = rowsOf(Schema.Struct({ month: Schema.Int }))

/** A page of records. `archivedMonths` are those of the filter, whose records are in an archive. */
export interface PageOfRecords extends Page<ServiceAuditRecord> {
  readonly archivedMonths?: ReadonlyArray<number>
}

/** Makes the function that reads a page of records by one statement. */
export const makePage = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const positions = recordPositions(sql)
  const fieldsOfRecord = sql.literal(
    "action, actor_type, actor_id, case_id, user_id, request_id, to_jsonb(kinds) AS kinds, shown_case_ids, shown_user_ids"
  )
  const fieldsOfEntry = sql.literal(`action, actor_type, coalesce(actor_uuid::text, actor_name) AS actor_id, case_id,
    user_id, coalesce(request_uuid::text, request_name) AS request_id, to_jsonb(kinds) AS kinds, shown_case_ids,
    shown_user_ids`)
  const isReadableEntry = sql.and([
    sql`action = ANY(${AuditAction.literals}::text[])`,
    sql`actor_type = ANY(${Actor.fields.type.literals}::text[])`,
    sql`kinds BETWEEN 0 AND ${maxKindBits}`,
    sql`num_nonnulls(request_uuid, request_name) = 1`
  ])

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

  /**
   * Returns a page of records, newest first, and the months of the filter whose records are in an archive. It merges the newest records of
   * each action in each organization, or of a case, patient or person who acted, so that no query scans others. Records that no service can
   * have written are left out: the verification of the chains finds them. A page ends early if its lists showed very many cases.
   */
  return (query: AuditQuery): Effect.Effect<PageOfRecords> => {
    const { action, actorId, caseId, limit, organizationId, userId } = query
    const organizations =
      organizationId === undefined
        ? sql`
            WITH RECURSIVE owners AS (
              SELECT ${organizationAfter(sql, sql`${lowestId}::uuid`)} AS id
              UNION ALL
              SELECT ${organizationAfter(sql, sql.literal("owners.id"))} FROM owners WHERE id IS NOT NULL
            )
            SELECT id FROM owners WHERE id IS NOT NULL
          `
        : sql`SELECT ${organizationId}::uuid AS id`
    const hasSubject = caseId !== undefined || userId !== undefined
    // A list is found by its own record without a subject, and else by the cases that it showed, too.
    const ofActions = hasSubject
      ? sql`UNION ALL (${positions.listsOfVersion1(query, limit + 1)})`
      : actorId === undefined
        ? sql`UNION ALL (${positions.entriesOfAction(query, limit + 1)})`
        : sql.literal("")
    const ofEntries = hasSubject
      ? sql`UNION ALL (${positions.entriesOfSubject(query, limit + 1)}) UNION ALL (${positions.listsOfSubject(query, limit + 1)})`
      : actorId === undefined
        ? sql.literal("")
        : sql`UNION ALL (${positions.entriesOfSubject(query, limit + 1)})`
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
                  (${positions.recordsOfVersion1(query, limit + 1)})
                  ${ofActions}
                ) AS of_action
                ${ofEntries}
                UNION ALL (${positions.waitingRecords(query, limit + 1)})
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
                AND ${isReadable(sql)}
              UNION ALL
              SELECT ${fieldsOfRecord} FROM audit_waiting
              WHERE organization_id = positions.organization_id AND id = positions.id AND positions.month IS NULL
                AND ${isReadable(sql)}
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
  }
})
