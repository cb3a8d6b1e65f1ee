import { type CaseState, pendingProviderStatuses } from "@care/domain/cases"
import type { UserId } from "@care/domain/ids"

type AssignedCase = Pick<CaseState, "status" | "isArchived" | "assignedTo" | "assignedAt">

/** The change of a provider's number of pending cases, and the time of the assignment. */
interface LoadChange {
  readonly providerId: UserId
  readonly change: number
  readonly assignedAt: Date
}

const loadOf = ({ assignedAt, assignedTo, isArchived, status }: AssignedCase) =>
  assignedTo === null || assignedAt === null || isArchived || !pendingProviderStatuses.includes(status)
    ? undefined
    : { providerId: assignedTo, assignedAt }

/** Returns how a move of a case changes the loads of the provider before the move, and of the one after it. */
export const loadChangesOf = (before: AssignedCase, after: AssignedCase): ReadonlyArray<LoadChange> => {
  const [previous, next] = [loadOf(before), loadOf(after)]
  if (previous?.providerId === next?.providerId) {
    const isReassigned = next !== undefined && next.assignedAt.getTime() !== previous?.assignedAt.getTime()
    return isReassigned ? [{ ...next, change: 0 }] : []
  }
  return [
    ...(previous === undefined ? [] : [{ ...previous, change: -1 }]),
    ...(next === undefined ? [] : [{ ...next, change: 1 }])
  ]
}
