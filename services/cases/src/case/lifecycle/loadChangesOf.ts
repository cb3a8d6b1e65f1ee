import { type CaseState, pendingProviderStatuses } from "@care/domain/cases"
import type { UserId } from "@care/domain/ids"

type AssignedCase = Pick<CaseState, "status" | "isArchived" | "assignedTo" | "assignedAt">

/** How many cases more or fewer a provider has to do, and when the last one was assigned to them. */
interface LoadChange {
  readonly providerId: UserId
  readonly change: number
  readonly assignedAt: Date
}

const loadOf = ({ assignedAt, assignedTo, isArchived, status }: AssignedCase) =>
  assignedTo === null || assignedAt === null || isArchived || !pendingProviderStatuses.includes(status)
    ? undefined
    : { providerId: assignedTo, assignedAt }

/** Returns how a move of a case changes the loads of the provider who had the case, and of the one who has it. */
export const loadChangesOf = (before: AssignedCase, after: AssignedCase): ReadonlyArray<LoadChange> => {
  const [had, has] = [loadOf(before), loadOf(after)]
  if (had?.providerId === has?.providerId) {
    const isGivenAgain = has !== undefined && has.assignedAt.getTime() !== had?.assignedAt.getTime()
    return isGivenAgain ? [{ ...has, change: 0 }] : []
  }
  return [...(had === undefined ? [] : [{ ...had, change: -1 }]), ...(has === undefined ? [] : [{ ...has, change: 1 }])]
}
