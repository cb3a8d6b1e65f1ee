import { CaseStatus } from "@care/domain/cases"
import { CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { sealed, sealedRow } from "@care/phi"
import { Schema } from "effect"
import type { SqlClient } from "effect/sql"

/** What moves change of a case, as it is stored. */
export const caseColumns = {
  organizationId: OrganizationId,
  id: CaseId,
  status: CaseStatus,
  isSole: Schema.Boolean,
  assignedTo: Schema.NullOr(UserId),
  assignedBy: Schema.NullOr(UserId),
  assignedAt: Schema.NullOr(Schema.Date),
  inProgressAt: Schema.NullOr(Schema.Date),
  isArchived: Schema.Boolean,
  closedAt: Schema.NullOr(Schema.Date),
  archiveReason: sealed(Schema.NullOr(Schema.String)),
  archiveNote: sealed(Schema.NullOr(Schema.String)),
  updatedAt: Schema.Date
}
/** A case as its moves change it. */
export const CaseRow = sealedRow("cases", ["organizationId", "id"], caseColumns)

/**
 * What every change of a case changes, too. Whoever waited for another change asked for the time before: a case is never
 * older than it was.
 */
export const caseChanged = (sql: SqlClient.SqlClient, at: Date) => sql`
  activity_count = cases.activity_count + 1, updated_at = greatest(cases.updated_at, ${at}::timestamptz)
`
