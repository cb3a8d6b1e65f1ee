import { Schema } from "effect"
import { lengths } from "../http/bounds.ts"
import { textUpTo } from "../http/Text.ts"
import { CaseId, OrganizationId, UserId } from "../Ids.ts"
import { CaseStatus } from "./CaseStatus.ts"

/** What other services know of a case that they follow: of two, the one with the higher version is true. */
export const CaseSnapshot = Schema.Struct({
  organizationId: OrganizationId,
  caseId: CaseId,
  userId: UserId,
  shortId: textUpTo(lengths.code),
  title: textUpTo(lengths.wording),
  status: CaseStatus,
  isArchived: Schema.Boolean,
  isTest: Schema.Boolean,
  version: Schema.Int
})
export type CaseSnapshot = typeof CaseSnapshot.Type
