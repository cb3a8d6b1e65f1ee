import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { anyIntentState } from "../../test/anyIntentState.ts"
import { outcomeOf, refundedUnits, statusOf } from "../payments/paymentState.ts"
import { emptyIntentState, type IntentState, mergeIntentStates } from "./IntentState.ts"

const dispute = (state: IntentState["disputes"][string]["state"], asOf: number) => ({
  disputes: { a: { state, asOf } }
})

const holds = (...state: ReadonlyArray<Partial<IntentState>>) =>
  statusOf(
    state.reduce<IntentState>(
      (known, told) => mergeIntentStates(known, { ...emptyIntentState, ...told }),
      emptyIntentState
    )
  )

describe("IntentState", () => {
  it("what was told merges into the same whatever came first, however often it came, and in whatever groups", () => {
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

  it("money that was taken outweighs whatever else was told", () => {
    assert.strictEqual(holds(), "UNPAID")
    assert.strictEqual(holds({ isFailed: true }), "UNPAID")
    assert.strictEqual(holds({ isAuthorized: true }), "AUTHORIZED")
    assert.strictEqual(holds({ isCanceled: true }, { isAuthorized: true }), "CANCELED")
    assert.strictEqual(holds({ isPaid: true }, { isCanceled: true }, { isFailed: true }), "PAID")
    assert.strictEqual(holds({ refunded: 1 }, { isPaid: true }), "REFUND")
    assert.strictEqual(holds({ refunded: 1 }, dispute("OPEN", 1)), "IN_DISPUTE")
    assert.strictEqual(holds({ isPaid: true }, dispute("OPEN", 1), dispute("WON", 2)), "PAID")
    assert.strictEqual(
      holds(dispute("LOST", 1), { disputes: { b: { state: "OPEN", asOf: 2 }, c: { state: "WON", asOf: 2 } } }),
      "LOST_DISPUTE"
    )
  })

  it("of a dispute the newest news counts, by the gateway's own time, in whatever order it comes", () => {
    const paid = { isPaid: true }
    for (const [older, newer, status] of [
      [dispute("LOST", 1), dispute("WON", 2), "PAID"],
      [dispute("WON", 1), dispute("LOST", 2), "LOST_DISPUTE"],
      [dispute("WON", 1), dispute("OPEN", 2), "IN_DISPUTE"],
      // What is told of the same second: the more final, and the worse.
      [dispute("OPEN", 1), dispute("WON", 1), "PAID"],
      [dispute("WON", 1), dispute("LOST", 1), "LOST_DISPUTE"]
    ] as const) {
      assert.strictEqual(holds(paid, older, newer), status)
      assert.strictEqual(holds(newer, paid, older, older), status)
    }
  })

  it("an inquiry changes no status, before it becomes a dispute and when it is told of late", () => {
    assert.strictEqual(holds({ isAuthorized: true }, dispute("INQUIRY", 1)), "AUTHORIZED")
    assert.strictEqual(holds({ isPaid: true }, dispute("INQUIRY", 1)), "PAID")
    assert.strictEqual(holds({ isPaid: true, refunded: 1 }, dispute("INQUIRY", 1)), "REFUND")
    assert.strictEqual(holds({ isPaid: true }, dispute("OPEN", 2), dispute("INQUIRY", 1)), "IN_DISPUTE")
    assert.strictEqual(holds({ isPaid: true }, dispute("OPEN", 1), dispute("INQUIRY", 2)), "PAID")
  })

  it("a refund that came back is none, whichever was told first", () => {
    const refunded = { isPaid: true, refunded: 500 }
    const cameBack = (units: number) => ({ refunds: { re_1: { units, isFailed: true } } })
    assert.strictEqual(holds(refunded, cameBack(500)), "PAID")
    assert.strictEqual(holds(cameBack(200), refunded), "REFUND")
    assert.strictEqual(refundedUnits({ ...emptyIntentState, refunded: 500, ...cameBack(200) }), 300)
  })

  it("what is given back after a refund that came back counts, though the gateway's sum was as much before", () => {
    const refunds = { re_1: { units: 500, isFailed: true }, re_2: { units: 500, isFailed: false } }
    assert.strictEqual(refundedUnits({ ...emptyIntentState, refunded: 500, refunds }), 500)
    assert.strictEqual(holds({ isPaid: true, refunded: 500, refunds }), "REFUND")
  })

  it("for the case an intent succeeded once money was taken, and failed only until then", () => {
    assert.strictEqual(outcomeOf(emptyIntentState), null)
    assert.strictEqual(outcomeOf({ ...emptyIntentState, isAuthorized: true, isCanceled: true }), null)
    assert.strictEqual(outcomeOf({ ...emptyIntentState, isFailed: true }), "FAILED")
    assert.strictEqual(outcomeOf({ ...emptyIntentState, isFailed: true, isPaid: true }), "SUCCEEDED")
  })
})
