import { assert, describe, it } from "@effect/vitest"
import { amountIn, leftOf } from "./amountIn.ts"

describe("an amount that a person types", () => {
  it("is a number of the currency up to what is possible", () => {
    assert.strictEqual(amountIn(" 120.5 ", "USD", 299), 120.5)
    assert.strictEqual(amountIn("299", "USD", 299), 299)
    assert.strictEqual(amountIn("5000", "JPY", 5000), 5000)
  })

  it("is refused in words otherwise", () => {
    for (const text of ["", "-1", "1e3", "1,200", "12.", "0x10", "٣"]) {
      assert.strictEqual(amountIn(text, "USD", 299), "Enter an amount such as 120 or 120.50.", text)
    }
    assert.strictEqual(amountIn("0.00", "USD", 299), "Enter an amount above 0.")
    assert.strictEqual(amountIn("299.01", "USD", 299), "At most 299.00\u00a0USD is possible.")
    assert.strictEqual(amountIn("1.005", "USD", 299), "The amount must have at most 2 decimals in USD.")
    assert.strictEqual(amountIn("1.5", "JPY", 299), "The amount must have no decimals in JPY.")
  })

  it("leaves an exact rest", () => {
    assert.strictEqual(leftOf(299.99, 120.1, "USD"), 179.89)
    assert.strictEqual(leftOf(0.3, 0.1, "USD"), 0.2)
  })
})
