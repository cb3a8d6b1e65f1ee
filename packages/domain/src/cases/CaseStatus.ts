import { Schema } from "effect"

/** The status of a case. A closed case keeps its status and is archived. */
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

type Statuses = ReadonlyArray<CaseStatus>

/** The case was begun and not submitted. Partners get no events of it until it is opened. */
export const abandonedStatus: CaseStatus = "ABANDONED"

/** The case waits for a provider. */
export const unassignedStatus: CaseStatus = "OPEN"

/** The case has a provider who has not begun to work on it. */
export const assignedStatus: CaseStatus = "ASSIGNED"

/** The case has a provider who has to work on it. */
export const pendingProviderStatuses: Statuses = [assignedStatus, "IN_PROGRESS"]

/** The case has a provider: it can be decided on, repeatedly, and its patient's profile is locked. */
export const providerStatuses: Statuses = [...pendingProviderStatuses, "APPROVED", "REJECTED", "NO_DECISION"]

/** The case is not done: while a patient has one, a second needs `forceCreate`. */
export const activeStatuses: Statuses = [unassignedStatus, ...pendingProviderStatuses]
