import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { amountProblem, exponentOf, fromMinorUnits, isCurrency, toAmount, toMinorUnits } from "./money.ts"

describe("money", () => {
  it("currencies have the decimals of ISO 4217", () => {
    assert.deepStrictEqual(["USD", "JPY", "KWD", "CLF"].map(exponentOf), [2, 0, 3, 4])
    assert.deepStrictEqual(["USD", "JPY", "usd", "DEM", ""].map(isCurrency), [true, true, false, false, false])
    // Gold, a bond, the codes for tests and for no currency; francs of fourteen countries.
    assert.deepStrictEqual(["XAU", "XBA", "XTS", "XXX", "XOF"].map(isCurrency), [false, false, false, false, true])
  })

  it("an amount has no more decimals than its currency, and is never rounded", () => {
    for (const [amount, currency, problem] of [
      [0, "USD", undefined],
      [999_999_999.99, "USD", undefined],
      [1.234, "KWD", undefined],
      [100, "JPY", undefined],
      [-1, "USD", "must not be negative"],
      [0.001, "USD", "must have at most 2 decimals in USD"],
      [0.1 + 0.2, "USD", "must have at most 2 decimals in USD"],
      [1e-7, "KWD", "must have at most 3 decimals in KWD"],
      [10.5, "JPY", "must have no decimals in JPY"],
      [1_000_000_000, "USD", "must be below 1,000,000,000"],
      [1e21, "USD", "must be below 1,000,000,000"],
      [Number.POSITIVE_INFINITY, "USD", "must be below 1,000,000,000"]
    ] as const) {
      assert.strictEqual(amountProblem(amount, currency), problem, `${amount} ${currency}`)
    }
  })

  it("amounts and minor units convert exactly to each other, whatever the exponent", () => {
    const units = fc.integer({ min: 0, max: 99_999_999_999 })
    fc.assert(
      fc.property(units, fc.constantFrom(0, 2, 3), (minorUnits, exponent) => {
        const amount = fromMinorUnits(minorUnits, exponent)
        assert.strictEqual(toMinorUnits(amount, exponent), minorUnits)
        assert.strictEqual(toAmount(Number(amount)), amount)
      })
    )
  })
})
