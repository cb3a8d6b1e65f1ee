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

type Statuses = ReadonlyArray<CaseStatus>

/** The status of a case that was begun and not submitted: partners are told nothing of it until it is opened. */
export const abandonedStatus: CaseStatus = "ABANDONED"

/** The status of a case that waits for a provider. */
export const waitingStatus: CaseStatus = "OPEN"

/** The status of a case whose provider has not begun to work on it. */
export const assignedStatus: CaseStatus = "ASSIGNED"

/** The statuses of a case that a provider has to work on. */
export const toDoStatuses: Statuses = [assignedStatus, "IN_PROGRESS"]

/** The statuses of a case that has a provider: it can be decided on, also again, and its patient's profile is locked. */
export const givenStatuses: Statuses = [...toDoStatuses, "APPROVED", "REJECTED", "NO_DECISION"]

/** The statuses of a case that is not done: while a patient has one, a second needs `forceCreate`. */
export const activeStatuses: Statuses = [waitingStatus, ...toDoStatuses]
