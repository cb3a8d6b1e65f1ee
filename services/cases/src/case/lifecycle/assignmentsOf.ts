import { type CaseId, UserId } from "@care/domain/ids"
import { Array as Arr, Order, Schema } from "effect"

const Candidate = Schema.Struct({ providerId: UserId, caseCount: Schema.Int })
type Candidate = typeof Candidate.Type

/** Providers who may treat all of these patients. Those with the same number of cases are sorted by their last assignment, oldest first. */
export const CandidateGroup = Schema.Struct({
  patientIds: Schema.Array(UserId),
  candidates: Schema.Array(Candidate)
})
type CandidateGroup = typeof CandidateGroup.Type

/** A case that goes to a provider, who had `caseCount` cases before this batch. */
export interface ProviderAssignment {
  readonly caseId: CaseId
  readonly providerId: UserId
  readonly caseCount: number
}

/**
 * Assigns waiting cases one after the other: each goes to the candidate with the fewest cases, those of this batch included. Among
 * equals, it goes to the one who has waited longest. A case without a candidate is left out.
 */
export const assignmentsOf = (
  waiting: ReadonlyArray<{ readonly id: CaseId; readonly userId: UserId }>,
  groups: ReadonlyArray<CandidateGroup>
): ReadonlyArray<ProviderAssignment> => {
  const candidatesOf = new Map(groups.flatMap(({ candidates, patientIds }) => patientIds.map((id) => [id, candidates])))
  const inBatch = new Map<UserId, { readonly count: number; readonly lastTurn: number }>()
  const ofBatch = (id: UserId) => inBatch.get(id) ?? { count: 0, lastTurn: -1 }
  const leastBusyFirst = Order.combine(
    Order.mapInput(Order.Number, ({ caseCount, providerId }: Candidate) => caseCount + ofBatch(providerId).count),
    Order.mapInput(Order.Number, ({ providerId }: Candidate) => ofBatch(providerId).lastTurn)
  )
  return waiting.flatMap(({ id, userId }, turn) => {
    const candidates = candidatesOf.get(userId) ?? []
    if (!Arr.isReadonlyArrayNonEmpty(candidates)) return []
    const leastBusy = Arr.min(candidates, leastBusyFirst)
    inBatch.set(leastBusy.providerId, { count: ofBatch(leastBusy.providerId).count + 1, lastTurn: turn })
    return [{ caseId: id, ...leastBusy }]
  })
}
