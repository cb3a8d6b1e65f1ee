import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { type IntentFacts, mergeFacts, noFacts } from "./IntentFacts.ts"
import { outcomeOf, refundedUnits, statusOf } from "./paymentState.ts"

const units = fc.integer({ min: 0, max: 1000 })
const few = <A>(value: fc.Arbitrary<A>) => fc.dictionary(fc.constantFrom("a", "b", "c"), value, { maxKeys: 3 })

const anyFacts: fc.Arbitrary<IntentFacts> = fc.record({
  worth: fc.option(fc.record({ units, currency: fc.constantFrom("USD", "EUR"), asOf: fc.integer({ min: 0, max: 3 }) })),
  isFailed: fc.boolean(),
  isAuthorized: fc.boolean(),
  isPaid: fc.boolean(),
  isCanceled: fc.boolean(),
  received: units,
  refunded: units,
  refunds: few(fc.record({ units, isFailed: fc.boolean() })),
  disputes: few(fc.constantFrom("OPEN", "WON", "LOST"))
})

const holds = (...facts: ReadonlyArray<Partial<IntentFacts>>) =>
  statusOf(facts.reduce<IntentFacts>((known, told) => mergeFacts(known, { ...noFacts, ...told }), noFacts))

describe("IntentFacts", () => {
  it("what was told merges into the same whatever came first, however often it came, and in whatever groups", () => {
    fc.assert(
      fc.property(anyFacts, anyFacts, anyFacts, (a, b, c) => {
        assert.deepStrictEqual(mergeFacts(a, b), mergeFacts(b, a))
        assert.deepStrictEqual(mergeFacts(mergeFacts(a, b), c), mergeFacts(a, mergeFacts(b, c)))
        assert.deepStrictEqual(mergeFacts(a, a), a)
        assert.deepStrictEqual(mergeFacts(a, noFacts), a)
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
    assert.strictEqual(holds({ refunded: 1 }, { disputes: { a: "OPEN" } }), "IN_DISPUTE")
    assert.strictEqual(holds({ isPaid: true }, { disputes: { a: "OPEN" } }, { disputes: { a: "WON" } }), "PAID")
    assert.strictEqual(holds({ disputes: { a: "LOST" } }, { disputes: { a: "OPEN", b: "WON" } }), "LOST_DISPUTE")
  })

  it("a refund that came back is none, whichever was told first", () => {
    const refunded = { isPaid: true, refunded: 500 }
    const cameBack = (units: number) => ({ refunds: { re_1: { units, isFailed: true } } })
    assert.strictEqual(holds(refunded, cameBack(500)), "PAID")
    assert.strictEqual(holds(cameBack(200), refunded), "REFUND")
    assert.strictEqual(refundedUnits({ ...noFacts, refunded: 500, ...cameBack(200) }), 300)
  })

  it("what is given back after a refund that came back counts, though the gateway's sum was as much before", () => {
    const refunds = { re_1: { units: 500, isFailed: true }, re_2: { units: 500, isFailed: false } }
    assert.strictEqual(refundedUnits({ ...noFacts, refunded: 500, refunds }), 500)
    assert.strictEqual(holds({ isPaid: true, refunded: 500, refunds }), "REFUND")
  })

  it("for the case an intent succeeded once money was taken, and failed only until then", () => {
    assert.strictEqual(outcomeOf(noFacts), null)
    assert.strictEqual(outcomeOf({ ...noFacts, isAuthorized: true, isCanceled: true }), null)
    assert.strictEqual(outcomeOf({ ...noFacts, isFailed: true }), "FAILED")
    assert.strictEqual(outcomeOf({ ...noFacts, isFailed: true, isPaid: true }), "SUCCEEDED")
  })
})
