import { Schema } from "effect"

/** Where a case stands. A closed case keeps its status and is archived. */
export const CaseStatus = Schema.Literals([
  "OPEN",
  "ABANDONED",
  "ASSIGNED",
  "IN_PROGRESS",
  "APPROVED",
  "REJECTED",
  "NO_DECISION"
])
export type CaseStatus = typeof CaseStatus.Type

/** The statuses of a case that is being worked on: while a patient has one, a second needs `forceCreate`. */
export const activeStatuses: ReadonlyArray<CaseStatus> = ["OPEN", "ASSIGNED", "IN_PROGRESS"]
