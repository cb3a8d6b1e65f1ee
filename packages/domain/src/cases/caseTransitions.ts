import type { UserId } from "../Ids.ts"
import { activeStatuses, assignedStatus, CaseStatus, providerStatuses, unassignedStatus } from "./CaseStatus.ts"
import type { CaseActivityType } from "./caseActivities.ts"

/** A row of the transition table: which cases a move applies to, and its effects. Fields that it does not name stay. */
export interface CaseTransition {
  /** The statuses that it applies to: of cases that are not archived, and of archived ones. */
  readonly from?: ReadonlyArray<CaseStatus>
  readonly fromArchived?: ReadonlyArray<CaseStatus>
  readonly to?: CaseStatus
  /** The case gets a provider, or loses it. */
  readonly provider?: "given" | "none"
  /** The provider's work begins. */
  readonly work?: "begins"
  /** It applies only to a case whose provider has left. */
  readonly isOfDeparted?: true
  readonly archive?: "closed" | "reopened"
  /** The activity that records it. */
  readonly activity: CaseActivityType
}

/** All transitions of a case: the specification's table of case status, and the care team's work. */
export const caseTransitions = {
  assign: { from: ["OPEN", "ASSIGNED"], to: "ASSIGNED", provider: "given", activity: "CASE_ASSIGNED" },
  take: { from: [unassignedStatus], to: "ASSIGNED", provider: "given", activity: "CASE_ASSIGNED" },
  // A provider who left has not begun to work: the case waits for another.
  release: {
    from: [assignedStatus],
    to: unassignedStatus,
    provider: "none",
    isOfDeparted: true,
    activity: "CASE_RELEASED"
  },
  start: { from: ["ASSIGNED"], to: "IN_PROGRESS", work: "begins", activity: "CASE_STARTED" },
  approve: { from: providerStatuses, to: "APPROVED", activity: "DECISION_ADDED" },
  reject: { from: providerStatuses, to: "REJECTED", activity: "DECISION_ADDED" },
  leaveUndecided: { from: providerStatuses, to: "NO_DECISION", activity: "DECISION_ADDED" },
  open: { from: ["ASSIGNED", "ABANDONED", "OPEN"], to: unassignedStatus, provider: "none", activity: "CASE_OPENED" },
  close: { from: CaseStatus.literals, archive: "closed", activity: "CASE_CLOSED" },
  reopen: { fromArchived: CaseStatus.literals, archive: "reopened", activity: "CASE_REOPENED" },
  paymentFailed: { from: ["ABANDONED"], archive: "closed", activity: "CASE_CLOSED" },
  // A payment never undoes a decision: it opens an abandoned checkout, and no other case.
  paymentSucceeded: {
    from: ["ABANDONED"],
    fromArchived: ["ABANDONED"],
    to: unassignedStatus,
    archive: "reopened",
    activity: "CASE_OPENED"
  }
} as const satisfies Record<string, CaseTransition>

type Table = typeof caseTransitions
type MovesWith<Row> = { [Name in keyof Table]: Table[Name] extends Row ? Name : never }[keyof Table]
type Assigning = MovesWith<{ readonly provider: "given" }>
type Deciding = MovesWith<{ readonly activity: "DECISION_ADDED" }>
type Closing = MovesWith<{ readonly archive: "closed" }>

/** A move of a case, with its arguments. */
export type CaseMove =
  | { readonly name: Assigning; readonly providerId: UserId; readonly assignedBy?: UserId | undefined }
  | { readonly name: Deciding; readonly decisionId: string }
  | { readonly name: Closing; readonly archiveNote: string | null }
  | { readonly name: Exclude<keyof Table, Assigning | Deciding | Closing> }

/**
 * The fields of a case that moves change. It has a provider exactly in the `providerStatuses`, and a closing time exactly
 * while it is archived. `isSole`: it was created as the only active case of its patient, and has been active since.
 */
export interface CaseState {
  readonly status: CaseStatus
  readonly isSole: boolean
  readonly assignedTo: UserId | null
  /** The user who assigned it; null when unknown or assigned automatically. */
  readonly assignedBy: UserId | null
  readonly assignedAt: Date | null
  readonly inProgressAt: Date | null
  readonly isArchived: boolean
  readonly closedAt: Date | null
  readonly archiveReason: string | null
  readonly archiveNote: string | null
}

/** The part of a case that decides which moves apply. */
export type CaseStage = Pick<CaseState, "status" | "isArchived">

/** Returns whether a move applies to a case. */
export const moveApplies = (name: CaseMove["name"], { isArchived, status }: CaseStage): boolean => {
  const { from = [], fromArchived = [] }: CaseTransition = caseTransitions[name]
  return (isArchived ? fromArchived : from).includes(status)
}

/** Returns the changes of a move that applies to a case. */
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

/** Returns the details of a move's activity, in addition to the statuses before and after it. */
export const detailsOf = (move: CaseMove) => ({
  ...("providerId" in move && { providerId: move.providerId }),
  ...("decisionId" in move && { decisionId: move.decisionId })
})
