import { Schema } from "effect"
import { UserSummary } from "../auth/User.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { CaseId, OrganizationId } from "../Ids.ts"
import { CaseStatus } from "./CaseStatus.ts"
import { VisitType } from "./VisitType.ts"

/** A case as lists show it, without its own lists. */
export const CaseSummary = Schema.Struct({
  id: CaseId,
  shortId: Schema.String,
  organizationId: OrganizationId,
  status: CaseStatus,
  type: VisitType,
  title: Schema.String,
  isTest: Schema.Boolean,
  isArchived: Schema.Boolean,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  closedAt: Schema.NullOr(Timestamp),
  waitingSince: Schema.NullOr(Timestamp).annotate({
    description: "When an OPEN case was created, an ASSIGNED one assigned, or one IN_PROGRESS begun; null of all others"
  }),
  productNames: Schema.Array(Schema.String),
  hasOpenEscalation: Schema.Boolean,
  dueDate: Schema.NullOr(Schema.String).annotate({
    description:
      "YYYY-MM-DD, the earliest due date of an open product; null without one. After that day (UTC) the case is overdue"
  }),
  patientState: Schema.NullOr(Schema.String).annotate({ description: "The state where the patient lives, if known" }),
  submitter: UserSummary,
  assignedTo: Schema.NullOr(UserSummary)
}).annotate({ identifier: "CaseSummary" })
export type CaseSummary = typeof CaseSummary.Type
