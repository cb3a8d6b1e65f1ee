import { CaseStatus, VisitType } from "@care/domain/cases"
import { CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { sealed, sealedRow } from "@care/phi"
import { Schema } from "effect"
import type { SqlClient } from "effect/sql"

/** The columns of a case that moves change. */
const movedColumns = {
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

/** The columns of a case that only its creation writes. */
const createdColumns = {
  organizationId: OrganizationId,
  id: CaseId,
  shortId: Schema.String,
  userId: UserId,
  title: Schema.String,
  type: VisitType,
  isTest: Schema.Boolean,
  createdAt: Schema.Date
}

export const caseColumns = { ...createdColumns, ...movedColumns }

/** A stored case, with all sealed columns. Moves seal with this row, and a patient's export opens with it (`patientTables`). */
export const CaseRow = sealedRow("cases", ["organizationId", "id"], caseColumns)

/**
 * Returns the assignments that every change of a case has in its SET. `updated_at` never goes back, although a change that waited for a
 * lock read its time earlier.
 */
export const caseChanged = (sql: SqlClient.SqlClient, at: Date) => sql`
  activity_count = cases.activity_count + 1, updated_at = greatest(cases.updated_at, ${at}::timestamptz)
`
