import type { OrganizationId } from "@care/domain/ids"
import { Effect, Schema } from "effect"

/** By rank: of two states of the same second the later one here counts. An inquiry takes no money back, and may become a dispute. */
const DisputeState = Schema.Literals(["INQUIRY", "OPEN", "WON", "LOST"])
export type DisputeState = typeof DisputeState.Type

/** The state of a dispute, as of the gateway's own time (seconds since 1970). */
const Dispute = Schema.Struct({ state: DisputeState, asOf: Schema.Int })
type Dispute = typeof Dispute.Type

const Refund = Schema.Struct({ units: Schema.Int, isFailed: Schema.Boolean })
type Refund = typeof Refund.Type

/**
 * All that the gateway has reported of a payment intent: by events, which come late, twice and in any order, and by responses. Amounts
 * are in minor units. States only grow, so that they merge into the same one in any order.
 */
export const IntentState = Schema.Struct({
  /** The newest reported amount of the intent, as of the gateway's time (seconds since 1970). */
  worth: Schema.NullOr(Schema.Struct({ units: Schema.Int, currency: Schema.String, asOf: Schema.Int })),
  isFailed: Schema.Boolean,
  isAuthorized: Schema.Boolean,
  isPaid: Schema.Boolean,
  isCanceled: Schema.Boolean,
  /** The latest reported expiry of the authorization (seconds since 1970). */
  heldUntil: Schema.NullOr(Schema.Int),
  /** The captured amount, and the greatest reported total of refunds, of which some may have failed since. */
  received: Schema.Int,
  refunded: Schema.Int,
  /** The reported refunds, by id. The money of a failed one came back. */
  refunds: Schema.Record(Schema.String, Refund),
  disputes: Schema.Record(Schema.String, Dispute),
  /** Whether a sandbox simulated that the patient paid, so that the gateway has no money to capture, release or refund. */
  isSimulated: Schema.Boolean.pipe(Schema.withDecodingDefaultKey(Effect.succeed(false)))
})
export type IntentState = typeof IntentState.Type

/** The state of an intent of which nothing was reported. */
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
  disputes: {},
  isSimulated: false
}

type Worth = IntentState["worth"]

const newestWorth = (a: Worth, b: Worth): Worth => {
  if (a === null || b === null) return a ?? b
  if (a.asOf !== b.asOf) return a.asOf > b.asOf ? a : b
  // Within one second the choice is arbitrary, but does not depend on the order.
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

const mergeRecords = <A>(a: Readonly<Record<string, A>>, b: Readonly<Record<string, A>>, choose: (a: A, b: A) => A) => {
  const merged = new Map(Object.entries(a))
  for (const [key, value] of Object.entries(b)) {
    const existing = merged.get(key)
    merged.set(key, existing === undefined ? value : choose(existing, value))
  }
  return Object.fromEntries(merged)
}

/** Merges two states: commutative, associative and idempotent. */
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
  refunds: mergeRecords(a.refunds, b.refunds, laterRefund),
  disputes: mergeRecords(a.disputes, b.disputes, newestDispute),
  isSimulated: a.isSimulated || b.isSimulated
})

/** A report of the gateway about an intent. `organizationId` is the one in its metadata, if any. */
export interface IntentUpdate {
  readonly intentId: string
  readonly organizationId: OrganizationId | undefined
  readonly state: IntentState
}
