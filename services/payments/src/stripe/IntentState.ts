import type { OrganizationId } from "@care/domain/ids"
import { Schema } from "effect"

/** Of two that were told of the same second, the later one here counts. An inquiry takes no money back, and may become a dispute. */
const DisputeState = Schema.Literals(["INQUIRY", "OPEN", "WON", "LOST"])
export type DisputeState = typeof DisputeState.Type

/** How a dispute stands, as of when the gateway says that it did (seconds since 1970). */
const Dispute = Schema.Struct({ state: DisputeState, asOf: Schema.Int })
type Dispute = typeof Dispute.Type

const Refund = Schema.Struct({ units: Schema.Int, isFailed: Schema.Boolean })
type Refund = typeof Refund.Type

/**
 * What the gateway has told of a payment intent: by events, which come late, twice and in any order, and by its answers to
 * us. Amounts are in the gateway's smallest units. Nothing of it is ever taken back, so that two of them merge into the same
 * one whichever came first.
 */
export const IntentState = Schema.Struct({
  /** What the intent is worth, as of the newest that was told (seconds since 1970). */
  worth: Schema.NullOr(Schema.Struct({ units: Schema.Int, currency: Schema.String, asOf: Schema.Int })),
  isFailed: Schema.Boolean,
  isAuthorized: Schema.Boolean,
  isPaid: Schema.Boolean,
  isCanceled: Schema.Boolean,
  /** Until when the amount is held, by the gateway (seconds since 1970): the latest that was told. */
  heldUntil: Schema.NullOr(Schema.Int),
  /** How much was taken, and the most that was ever given back of it at a time, some of which may have come back since. */
  received: Schema.Int,
  refunded: Schema.Int,
  /** Those that were told of, by their ids. What failed came back. */
  refunds: Schema.Record(Schema.String, Refund),
  disputes: Schema.Record(Schema.String, Dispute)
})
export type IntentState = typeof IntentState.Type

/** Nothing is known. */
export const emptyIntentState: IntentState = {
  worth: null,
  isFailed: false,
  isAuthorized: false,
  isPaid: false,
  isCanceled: false,
  heldUntil: null,
  received: 0,
  refunded: 0,
  refunds: {},
  disputes: {}
}

type Worth = IntentState["worth"]

const newestWorth = (a: Worth, b: Worth): Worth => {
  if (a === null || b === null) return a ?? b
  if (a.asOf !== b.asOf) return a.asOf > b.asOf ? a : b
  // Of the same second: either, but always the same one.
  return a.units > b.units || (a.units === b.units && a.currency >= b.currency) ? a : b
}

const rankOf = ({ state }: Dispute) => DisputeState.literals.indexOf(state)

const newestDispute = (a: Dispute, b: Dispute): Dispute => {
  if (a.asOf !== b.asOf) return a.asOf > b.asOf ? a : b
  return rankOf(a) > rankOf(b) ? a : b
}

const laterRefund = (a: Refund, b: Refund): Refund => ({
  units: Math.max(a.units, b.units),
  isFailed: a.isFailed || b.isFailed
})

const united = <A>(a: Readonly<Record<string, A>>, b: Readonly<Record<string, A>>, choose: (a: A, b: A) => A) => {
  const merged = new Map(Object.entries(a))
  for (const [key, value] of Object.entries(b)) {
    const known = merged.get(key)
    merged.set(key, known === undefined ? value : choose(known, value))
  }
  return Object.fromEntries(merged)
}

/** Both together: the same whatever their order, and however often one is merged. */
export const mergeIntentStates = (a: IntentState, b: IntentState): IntentState => ({
  worth: newestWorth(a.worth, b.worth),
  isFailed: a.isFailed || b.isFailed,
  isAuthorized: a.isAuthorized || b.isAuthorized,
  isPaid: a.isPaid || b.isPaid,
  isCanceled: a.isCanceled || b.isCanceled,
  heldUntil:
    a.heldUntil === null || b.heldUntil === null ? (a.heldUntil ?? b.heldUntil) : Math.max(a.heldUntil, b.heldUntil),
  received: Math.max(a.received, b.received),
  refunded: Math.max(a.refunded, b.refunded),
  refunds: united(a.refunds, b.refunds, laterRefund),
  disputes: united(a.disputes, b.disputes, newestDispute)
})

/** What the gateway told of an intent. `organizationId` is whose the intent says that it is, if it does. */
export interface IntentUpdate {
  readonly intentId: string
  readonly organizationId: OrganizationId | undefined
  readonly state: IntentState
}
