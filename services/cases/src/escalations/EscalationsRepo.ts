import { type Escalation, EscalationType, mostListed } from "@care/domain/cases"
import type { PagePosition } from "@care/domain/http"
import { CaseId, EscalationId, OrganizationId, UserId } from "@care/domain/ids"
import { type OpenedRow, type PatientKey, sealed, sealedRow, sealedRowsOf } from "@care/phi"
import { rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

/** An escalation as it is stored. */
export const EscalationRow = sealedRow("escalations", ["organizationId", "id"], {
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
})
export type EscalationRow = OpenedRow<typeof EscalationRow>

/** An escalation as it is shown: what was not given is absent. */
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
const added = rowsOf(Schema.Struct({ id: EscalationId }))

export const makeEscalationsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const escalations = yield* sealedRowsOf(EscalationRow)
  const columns = sql.literal(
    "organization_id, id, case_id, type, title, note, follow_up_due_at, assigned_to_user_id, is_completed, created_at, updated_at"
  )
  return {
    /** The organization of an escalation: the operator's path names the escalation alone. */
    findOwner: (id: EscalationId) => owners.first(sql`SELECT organization_id FROM escalations WHERE id = ${id}`),

    find: (organizationId: OrganizationId, id: EscalationId) =>
      escalations.first(sql`
        SELECT ${columns} FROM escalations WHERE organization_id = ${organizationId} AND id = ${id}
      `),

    /** Adds those of which the case has none that is active: their ids. */
    insert: (key: PatientKey, rows: ReadonlyArray<EscalationRow>) =>
      added.all(sql`
        INSERT INTO escalations ${sql.insert(rows.map((row) => escalations.seal(key, row)))}
        ON CONFLICT (organization_id, case_id, type, title) WHERE NOT is_completed DO NOTHING
        RETURNING id
      `),

    /** Completes an escalation, unless it is completed. */
    complete: (organizationId: OrganizationId, id: EscalationId, now: Date) =>
      escalations.first(sql`
        UPDATE escalations SET is_completed = true, updated_at = ${now}
        WHERE organization_id = ${organizationId} AND id = ${id} AND NOT is_completed
        RETURNING ${columns}
      `),

    /** Those of a case that are not completed, oldest first: no more than there are titles. */
    active: (organizationId: OrganizationId, caseId: CaseId) =>
      escalations.all(sql`
        SELECT ${columns} FROM escalations
        WHERE organization_id = ${organizationId} AND case_id = ${caseId} AND NOT is_completed
        ORDER BY created_at, id
        LIMIT ${mostListed}
      `),

    /** Newest first. */
    newest: (organizationId: OrganizationId, caseId: CaseId, before: PagePosition, limit: number) =>
      escalations.all(sql`
        SELECT ${columns} FROM escalations
        WHERE organization_id = ${organizationId} AND case_id = ${caseId}
          AND (created_at, id) < (${before.createdAt}, ${before.id})
        ORDER BY created_at DESC, id DESC
        LIMIT ${limit}
      `)
  }
})
