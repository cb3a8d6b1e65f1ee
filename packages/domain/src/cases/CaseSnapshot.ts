import { Schema } from "effect"
import { lengths } from "../http/bounds.ts"
import { makeReplica } from "../http/makeReplica.ts"
import { textUpTo } from "../http/Text.ts"
import { CaseId, OrganizationId, UserId } from "../Ids.ts"
import { CaseStatus } from "./CaseStatus.ts"

/** The state of a case, as of a version. The version counts the changes of the case. */
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

/** The scheduling service stores the state of the cases that it follows: those with calendar events. */
export const caseReplica = makeReplica("cases", "scheduling", CaseId, CaseSnapshot)
