import { Schema } from "effect"
import { CaseId, OrganizationId, UserId } from "../Ids.ts"
import { CaseStatus } from "./CaseStatus.ts"

/** What other services know of a case that they follow: of two, the one with the higher version is true. */
export const CaseFact = Schema.Struct({
  organizationId: OrganizationId,
  caseId: CaseId,
  userId: UserId,
  shortId: Schema.String,
  title: Schema.String,
  status: CaseStatus,
  isArchived: Schema.Boolean,
  isTest: Schema.Boolean,
  version: Schema.Int
})
export type CaseFact = typeof CaseFact.Type
