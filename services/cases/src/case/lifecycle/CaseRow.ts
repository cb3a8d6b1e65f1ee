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

/** The columns of a case that moves do not change: its creation writes them. */
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

/** A case as it is stored. Moves seal by this row, and a patient's export opens by it (`patientTables`): it has every sealed column. */
export const CaseRow = sealedRow("cases", ["organizationId", "id"], caseColumns)

/**
 * What every change of a case changes, too. Whoever waited for another change asked for the time before: a case is never
 * older than it was.
 */
export const caseChanged = (sql: SqlClient.SqlClient, at: Date) => sql`
  activity_count = cases.activity_count + 1, updated_at = greatest(cases.updated_at, ${at}::timestamptz)
`
