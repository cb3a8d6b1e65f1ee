import { type Escalation, EscalationType, maxListed } from "@care/domain/cases"
import type { PagePosition } from "@care/domain/http"
import { CaseId, EscalationId, OrganizationId, UserId } from "@care/domain/ids"
import { type OpenedRow, type PatientKey, sealed, sealedRow, sealedRowsOf } from "@care/phi"
import { inScope, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { newestOfCase, type PageOfCase, seenBy } from "../case/index.ts"

const key = ["organizationId", "id"] as const
const escalationColumns = {
  organizationId: OrganizationId,
  id: EscalationId,
  caseId: CaseId,
  type: EscalationType,
  title: Schema.String,
  note: sealed(Schema.NullOr(Schema.String)),
  followUpDueAt: Schema.NullOr(Schema.Date),
  assignedToUserId: Schema.NullOr(UserId),
  isCompleted: Schema.Boolean,
  createdAt: Schema.Date,
  updatedAt: Schema.Date
}
export const EscalationRow = sealedRow("escalations", key, escalationColumns)
export type EscalationRow = OpenedRow<typeof EscalationRow>

/** An examined escalation with the short id and the patient of its case. `isFound` and `isLast` are as in the search of cases. */
const ListedEscalationRow = sealedRow("escalations", key, {
  ...escalationColumns,
  shortId: Schema.String,
  userId: UserId,
  isFound: Schema.Boolean,
  isLast: Schema.Boolean
})

/** How many escalations are examined for a page of a provider, who does not see all. */
const maxExamined = 1000

/** The escalations that a list selects, and the position after which its page begins. */
interface ListOptions {
  readonly organizationId: OrganizationId
  readonly isCompleted: boolean
  readonly assignedTo: UserId | undefined
  readonly isUnassigned: boolean
  /** The provider who sees only escalations of cases in their sight. */
  readonly seenBy: UserId | undefined
  readonly after: PagePosition
}

/** Returns an escalation as responses show it, without fields that are null. */
export const escalationOf = ({
  assignedToUserId,
  caseId: _,
  followUpDueAt,
  note,
  organizationId: __,
  ...escalation
}: EscalationRow): Escalation => ({
  ...escalation,
  ...(note !== null && { note }),
  ...(followUpDueAt !== null && { followUpDueAt }),
  ...(assignedToUserId !== null && { assignedToUserId })
})

const owners = rowsOf(Schema.Struct({ organizationId: OrganizationId }))
const insertedIds = rowsOf(Schema.Struct({ id: EscalationId }))

export const makeEscalationsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const escalations = yield* sealedRowsOf(EscalationRow)
  const listed = yield* sealedRowsOf(ListedEscalationRow)
  const columns = sql.literal(
    "organization_id, id, case_id, type, title, note, follow_up_due_at, assigned_to_user_id, is_completed, created_at, updated_at"
  )
  return {
    /** Returns the organization of an escalation in the scope. The paths of operators and staff name the escalation alone. */
    findOwner: (id: EscalationId, scope: OrganizationId | undefined) =>
      owners.first(sql`SELECT organization_id FROM escalations WHERE id = ${id} AND ${inScope(sql, scope)}`),

    find: (organizationId: OrganizationId, id: EscalationId) =>
      escalations.first(sql`
        SELECT ${columns} FROM escalations WHERE organization_id = ${organizationId} AND id = ${id}
      `),

    /** Stores escalations, except those of which the case has an active one. Returns the ids of the stored ones. */
    insert: (key: PatientKey, rows: ReadonlyArray<EscalationRow>) =>
      insertedIds.all(sql`
        INSERT INTO escalations ${sql.insert(rows.map((row) => escalations.seal(key, row)))}
        ON CONFLICT (organization_id, case_id, type, title) WHERE NOT is_completed DO NOTHING
        RETURNING id
      `),

    complete: (organizationId: OrganizationId, id: EscalationId, now: Date) =>
      escalations.first(sql`
        UPDATE escalations SET is_completed = true, updated_at = ${now}
        WHERE organization_id = ${organizationId} AND id = ${id} AND NOT is_completed
        RETURNING ${columns}
      `),

    /** Returns the active escalations of a case, oldest first. There are no more than titles. */
    active: (organizationId: OrganizationId, caseId: CaseId) =>
      escalations.all(sql`
        SELECT ${columns} FROM escalations
        WHERE organization_id = ${organizationId} AND case_id = ${caseId} AND NOT is_completed
        ORDER BY created_at, id
        LIMIT ${maxListed}
      `),

    /** Returns open escalations, oldest first, or completed ones, newest first. */
    list: (
      { after, assignedTo, isCompleted, isUnassigned, organizationId, seenBy: provider }: ListOptions,
      limit: number
    ) => {
      const order = sql.literal(isCompleted ? "ORDER BY created_at DESC, id DESC" : "ORDER BY created_at, id")
      const examined = provider === undefined ? limit : maxExamined
      const isFound = provider === undefined ? sql.literal("true") : seenBy(sql, sql`cases`, provider)
      return listed.all(
        sql`
          SELECT page.*, of_case.short_id, of_case.user_id, is_found, place = ${examined} AS is_last FROM (
            SELECT ${columns}, row_number() OVER (${order}) AS place FROM escalations
            WHERE organization_id = ${organizationId} AND is_completed = ${isCompleted}::boolean
              AND ${assignedTo === undefined ? sql.literal("true") : sql`assigned_to_user_id = ${assignedTo}`}
              AND ${sql.literal(isUnassigned ? "assigned_to_user_id IS NULL" : "true")}
              AND (created_at, id) ${sql.literal(isCompleted ? "<" : ">")} (${after.createdAt}, ${after.id})
            ${order} LIMIT ${examined}
          ) AS page
          CROSS JOIN LATERAL (
            SELECT short_id, user_id, ${isFound} AS is_found FROM cases
            WHERE organization_id = page.organization_id AND id = page.case_id LIMIT 1
          ) AS of_case
          WHERE is_found OR place = ${examined}
          ORDER BY place LIMIT ${limit}
        `.unprepared
      )
    },

    findAll: (organizationId: OrganizationId, ids: ReadonlyArray<string>) =>
      escalations.all(sql`
        SELECT ${columns} FROM escalations WHERE organization_id = ${organizationId} AND id = ANY(${ids}::uuid[])
      `),

    newest: (...page: PageOfCase) => escalations.all(sql`SELECT ${columns} FROM escalations ${newestOfCase(sql, page)}`)
  }
})
