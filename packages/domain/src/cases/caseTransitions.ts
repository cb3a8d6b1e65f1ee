import type { UserId } from "../Ids.ts"
import { activeStatuses, assignedStatus, CaseStatus, givenStatuses, waitingStatus } from "./CaseStatus.ts"
import type { CaseActivityType } from "./caseActivities.ts"

/** A row of the table: which cases a move takes, and what becomes of them. What it does not name stays as it is. */
export interface CaseTransition {
  /** The statuses of which it takes cases that are not archived, and archived ones. */
  readonly from?: ReadonlyArray<CaseStatus>
  readonly fromArchived?: ReadonlyArray<CaseStatus>
  readonly to?: CaseStatus
  /** The case gets a provider, or has none any more. */
  readonly provider?: "given" | "none"
  /** The provider's work begins. */
  readonly work?: "begins"
  /** Only of a provider who is none any more. */
  readonly isOfDeparted?: true
  readonly archive?: "closed" | "reopened"
  /** What the case's record says of it. */
  readonly activity: CaseActivityType
}

/** Every way in which a case moves, and no other: the specification's table of case status, and the care team's work. */
export const caseTransitions = {
  assign: { from: ["OPEN", "ASSIGNED"], to: "ASSIGNED", provider: "given", activity: "CASE_ASSIGNED" },
  // Who left the organization has begun nothing, and does not: the case waits for another.
  release: {
    from: [assignedStatus],
    to: waitingStatus,
    provider: "none",
    isOfDeparted: true,
    activity: "CASE_RELEASED"
  },
  start: { from: ["ASSIGNED"], to: "IN_PROGRESS", work: "begins", activity: "CASE_STARTED" },
  approve: { from: givenStatuses, to: "APPROVED", activity: "DECISION_ADDED" },
  reject: { from: givenStatuses, to: "REJECTED", activity: "DECISION_ADDED" },
  leaveUndecided: { from: givenStatuses, to: "NO_DECISION", activity: "DECISION_ADDED" },
  open: { from: ["ASSIGNED", "ABANDONED", "OPEN"], to: waitingStatus, provider: "none", activity: "CASE_OPENED" },
  close: { from: CaseStatus.literals, archive: "closed", activity: "CASE_CLOSED" },
  reopen: { fromArchived: CaseStatus.literals, archive: "reopened", activity: "CASE_REOPENED" },
  paymentFailed: { from: ["ABANDONED"], archive: "closed", activity: "CASE_CLOSED" },
  // News of a payment undoes nothing that anybody decided: it opens a checkout that was abandoned, and no other case.
  paymentSucceeded: {
    from: ["ABANDONED"],
    fromArchived: ["ABANDONED"],
    to: waitingStatus,
    archive: "reopened",
    activity: "CASE_OPENED"
  }
} as const satisfies Record<string, CaseTransition>

type Table = typeof caseTransitions
type MovesWith<Row> = { [Name in keyof Table]: Table[Name] extends Row ? Name : never }[keyof Table]
type Assigning = MovesWith<{ readonly provider: "given" }>
type Deciding = MovesWith<{ readonly activity: "DECISION_ADDED" }>
type Closing = MovesWith<{ readonly archive: "closed" }>

/** A move of a case, with what it is given. */
export type CaseMove =
  | { readonly name: Assigning; readonly providerId: UserId; readonly assignedBy?: UserId | undefined }
  | { readonly name: Deciding; readonly decisionId: string }
  | { readonly name: Closing; readonly archiveNote: string | null }
  | { readonly name: Exclude<keyof Table, Assigning | Deciding | Closing> }

/**
 * What moves change of a case. It has a provider exactly with one of the `givenStatuses`, and a time of closing exactly
 * while it is archived. `isSole`: it was created as the only active one of its patient, and has been active ever since.
 */
export interface CaseState {
  readonly status: CaseStatus
  readonly isSole: boolean
  readonly assignedTo: UserId | null
  /** Who gave it to the provider; null when nobody said so, or it was assigned automatically. */
  readonly assignedBy: UserId | null
  readonly assignedAt: Date | null
  readonly inProgressAt: Date | null
  readonly isArchived: boolean
  readonly closedAt: Date | null
  readonly archiveReason: string | null
  readonly archiveNote: string | null
}

/** As much of a case as says which moves take it. */
export type CaseStage = Pick<CaseState, "status" | "isArchived">

/** Whether a move takes a case that stands so. */
export const takesCase = (name: CaseMove["name"], { isArchived, status }: CaseStage): boolean => {
  const { from = [], fromArchived = [] }: CaseTransition = caseTransitions[name]
  return (isArchived ? fromArchived : from).includes(status)
}

/** What a move changes at a time, of a case that it takes. */
export const changesOf = (move: CaseMove, at: Date): Partial<CaseState> => {
  const { archive, provider, to, work }: CaseTransition = caseTransitions[move.name]
  const endsActivity = archive === "closed" || (to !== undefined && !activeStatuses.includes(to))
  return {
    ...(to !== undefined && { status: to }),
    ...(endsActivity && { isSole: false }),
    ...("providerId" in move && {
      assignedTo: move.providerId,
      assignedBy: move.assignedBy ?? null,
      assignedAt: at
    }),
    ...(provider === "none" && { assignedTo: null, assignedBy: null, assignedAt: null, inProgressAt: null }),
    ...(work === "begins" && { inProgressAt: at }),
    ...("archiveNote" in move && { isArchived: true, closedAt: at, archiveNote: move.archiveNote }),
    ...(archive === "reopened" && { isArchived: false, closedAt: null, archiveReason: null, archiveNote: null })
  }
}

/** What the case's record says of a move beside the statuses before and after it. */
export const detailsOf = (move: CaseMove) => ({
  ...("providerId" in move && { providerId: move.providerId }),
  ...("decisionId" in move && { decisionId: move.decisionId })
})
