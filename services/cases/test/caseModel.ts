import {
  type CaseMove,
  type CaseState,
  type CaseTransition,
  caseTransitions,
  changesOf,
  moveApplies,
  pendingProviderStatuses
} from "@care/domain/cases"
import type { UserId } from "@care/domain/ids"
import { Struct } from "effect"

/** A move, or the automatic assignment to the least busy provider. */
export type Step = CaseMove | { readonly name: "assignToLeastBusy" }

/** The state of a case in the model. */
export interface KnownCase extends CaseState {
  readonly isTest: boolean
  readonly updatedAt: Date
}

/** The number of pending cases of a provider, and the time of the last assignment. */
export interface ProviderLoad {
  readonly providerId: UserId
  readonly caseCount: number
  readonly lastAssignedAt: Date
}

/** The providers of an organization who are active, and which of them has the fewest cases. */
interface KnownProviders {
  readonly active: ReadonlyArray<UserId>
  readonly leastBusy: UserId
}

export const stepNames = [...Struct.keys(caseTransitions), "assignToLeastBusy"] as const

export const stepOf = (name: Step["name"], providerId: UserId): Step => {
  switch (name) {
    case "assign":
    case "take":
      return { name, providerId }
    case "approve":
    case "reject":
    case "leaveUndecided":
      return { name, decisionId: `decided by ${name}` }
    case "close":
    case "paymentFailed":
      return { name, archiveNote: `because of ${name}` }
    default:
      return { name }
  }
}

const moveOf = (state: KnownCase, step: Step, { active, leastBusy }: KnownProviders): CaseMove | undefined => {
  const { assignedTo, isArchived, isTest, status } = state
  if (step.name === "assignToLeastBusy") {
    return isArchived || isTest || status !== "OPEN" ? undefined : { name: "assign", providerId: leastBusy }
  }
  const { isOfDeparted }: CaseTransition = caseTransitions[step.name]
  if (isOfDeparted && assignedTo !== null && active.includes(assignedTo)) return undefined
  return moveApplies(step.name, state) ? step : undefined
}

/** Returns the case after a step, by the table, or undefined when the step does not apply. */
export const after = (state: KnownCase, step: Step, at: Date, providers: KnownProviders): KnownCase | undefined => {
  const move = moveOf(state, step, providers)
  return move === undefined ? undefined : { ...state, ...changesOf(move, at), updatedAt: at }
}

/** Returns the provider with the fewest cases; among equals, the one who has waited longest. */
export const leastBusyOf = (
  providers: readonly [UserId, ...ReadonlyArray<UserId>],
  loads: ReadonlyMap<UserId, ProviderLoad>
): UserId => {
  const count = (id: UserId) => loads.get(id)?.caseCount ?? 0
  const since = (id: UserId) => loads.get(id)?.lastAssignedAt.getTime() ?? 0
  return providers.reduce((best, id) =>
    count(id) < count(best) || (count(id) === count(best) && since(id) < since(best)) ? id : best
  )
}

/** Returns the load of a provider from the cases and the load before, or undefined for a provider who never had a case. */
export const loadOf = (
  providerId: UserId,
  state: ReadonlyArray<KnownCase>,
  before: ProviderLoad | undefined
): ProviderLoad | undefined => {
  const own = state.filter(
    ({ assignedTo, isArchived, status }) =>
      assignedTo === providerId && !isArchived && pendingProviderStatuses.includes(status)
  )
  const times = [before?.lastAssignedAt, ...own.map(({ assignedAt }) => assignedAt)].filter(
    (time) => time instanceof Date
  )
  if (times.length === 0) return undefined
  return {
    providerId,
    caseCount: own.length,
    lastAssignedAt: new Date(Math.max(...times.map((time) => time.getTime())))
  }
}
