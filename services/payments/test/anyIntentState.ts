import fc from "fast-check"
import type { IntentState } from "../src/stripe/IntentState.ts"

const units = fc.integer({ min: 0, max: 1000 })
const few = <A>(value: fc.Arbitrary<A>) => fc.dictionary(fc.constantFrom("a", "b", "c"), value, { maxKeys: 3 })

/** Generates any state of an intent that the gateway may report. */
export const anyIntentState: fc.Arbitrary<IntentState> = fc.record({
  worth: fc.option(fc.record({ units, currency: fc.constantFrom("USD", "EUR"), asOf: fc.integer({ min: 0, max: 3 }) })),
  isFailed: fc.boolean(),
  isAuthorized: fc.boolean(),
  isPaid: fc.boolean(),
  isCanceled: fc.boolean(),
  heldUntil: fc.option(units),
  received: units,
  refunded: units,
  refunds: few(fc.record({ units, isFailed: fc.boolean() })),
  disputes: few(
    fc.record({ state: fc.constantFrom("INQUIRY", "OPEN", "WON", "LOST"), asOf: fc.integer({ min: 0, max: 3 }) })
  ),
  isSimulated: fc.boolean()
})
