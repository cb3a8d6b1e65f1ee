import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { anyIntentState } from "../../test/anyIntentState.ts"
import { outcomeOf, refundedUnits, statusOf } from "../payments/paymentState.ts"
import { emptyIntentState, type IntentState, mergeIntentStates } from "./IntentState.ts"

const dispute = (state: IntentState["disputes"][string]["state"], asOf: number) => ({
  disputes: { a: { state, asOf } }
})

const statusAfter = (...states: ReadonlyArray<Partial<IntentState>>) =>
  statusOf(
    states.reduce<IntentState>(
      (merged, state) => mergeIntentStates(merged, { ...emptyIntentState, ...state }),
      emptyIntentState
    )
  )

describe("IntentState", () => {
  it("merging is commutative, associative and idempotent", () => {
    fc.assert(
      fc.property(anyIntentState, anyIntentState, anyIntentState, (a, b, c) => {
        assert.deepStrictEqual(mergeIntentStates(a, b), mergeIntentStates(b, a))
        assert.deepStrictEqual(
          mergeIntentStates(mergeIntentStates(a, b), c),
          mergeIntentStates(a, mergeIntentStates(b, c))
        )
        assert.deepStrictEqual(mergeIntentStates(a, a), a)
        assert.deepStrictEqual(mergeIntentStates(a, emptyIntentState), a)
      })
    )
  })

  it("received money outweighs everything else", () => {
    assert.strictEqual(statusAfter(), "UNPAID")
    assert.strictEqual(statusAfter({ isFailed: true }), "UNPAID")
    assert.strictEqual(statusAfter({ isAuthorized: true }), "AUTHORIZED")
    assert.strictEqual(statusAfter({ isCanceled: true }, { isAuthorized: true }), "CANCELED")
    assert.strictEqual(statusAfter({ isPaid: true }, { isCanceled: true }, { isFailed: true }), "PAID")
    assert.strictEqual(statusAfter({ refunded: 1 }, { isPaid: true }), "REFUND")
    assert.strictEqual(statusAfter({ refunded: 1 }, dispute("OPEN", 1)), "IN_DISPUTE")
    assert.strictEqual(statusAfter({ isPaid: true }, dispute("OPEN", 1), dispute("WON", 2)), "PAID")
    assert.strictEqual(
      statusAfter(dispute("LOST", 1), { disputes: { b: { state: "OPEN", asOf: 2 }, c: { state: "WON", asOf: 2 } } }),
      "LOST_DISPUTE"
    )
  })

  it("the newest state of a dispute counts, by the gateway's own time, in any order", () => {
    const paid = { isPaid: true }
    for (const [older, newer, status] of [
      [dispute("LOST", 1), dispute("WON", 2), "PAID"],
      [dispute("WON", 1), dispute("LOST", 2), "LOST_DISPUTE"],
      [dispute("WON", 1), dispute("OPEN", 2), "IN_DISPUTE"],
      // Within one second the more final and worse state counts.
      [dispute("OPEN", 1), dispute("WON", 1), "PAID"],
      [dispute("WON", 1), dispute("LOST", 1), "LOST_DISPUTE"]
    ] as const) {
      assert.strictEqual(statusAfter(paid, older, newer), status)
      assert.strictEqual(statusAfter(newer, paid, older, older), status)
    }
  })

  it("an inquiry changes no status, also when it is reported after the dispute", () => {
    assert.strictEqual(statusAfter({ isAuthorized: true }, dispute("INQUIRY", 1)), "AUTHORIZED")
    assert.strictEqual(statusAfter({ isPaid: true }, dispute("INQUIRY", 1)), "PAID")
    assert.strictEqual(statusAfter({ isPaid: true, refunded: 1 }, dispute("INQUIRY", 1)), "REFUND")
    assert.strictEqual(statusAfter({ isPaid: true }, dispute("OPEN", 2), dispute("INQUIRY", 1)), "IN_DISPUTE")
    assert.strictEqual(statusAfter({ isPaid: true }, dispute("OPEN", 1), dispute("INQUIRY", 2)), "PAID")
  })

  it("a failed refund does not count, in any order", () => {
    const refunded = { isPaid: true, refunded: 500 }
    const failed = (units: number) => ({ refunds: { re_1: { units, isFailed: true } } })
    assert.strictEqual(statusAfter(refunded, failed(500)), "PAID")
    assert.strictEqual(statusAfter(failed(200), refunded), "REFUND")
    assert.strictEqual(refundedUnits({ ...emptyIntentState, refunded: 500, ...failed(200) }), 300)
  })

  it("a refund after a failed one counts, even if the gateway's total is the same as before", () => {
    const refunds = { re_1: { units: 500, isFailed: true }, re_2: { units: 500, isFailed: false } }
    assert.strictEqual(refundedUnits({ ...emptyIntentState, refunded: 500, refunds }), 500)
    assert.strictEqual(statusAfter({ isPaid: true, refunded: 500, refunds }), "REFUND")
  })

  it("the outcome for the case is SUCCEEDED once money was received, and FAILED only before", () => {
    assert.strictEqual(outcomeOf(emptyIntentState), null)
    assert.strictEqual(outcomeOf({ ...emptyIntentState, isAuthorized: true, isCanceled: true }), null)
    assert.strictEqual(outcomeOf({ ...emptyIntentState, isFailed: true }), "FAILED")
    assert.strictEqual(outcomeOf({ ...emptyIntentState, isFailed: true, isPaid: true }), "SUCCEEDED")
  })
})
