import { exponentOf, type PromoDiscount, toMinorUnits } from "@care/domain/payments"
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { discountsOf, type GrossPayment } from "./discountsOf.ts"

const flat = (flatDiscount: string): PromoDiscount => ({ flatDiscount })
const percent = (percentDiscount: string): PromoDiscount => ({ percentDiscount })

// Decimals as integers of ten-thousandths: amounts and discounts have at most four decimals.
const tenThousandths = (decimal: string): bigint => {
  const [whole = "0", decimals = ""] = decimal.split(".")
  return BigInt(whole + decimals.padEnd(4, "0"))
}
const formatted = (value: bigint, decimals: number): string => {
  const digits = value.toString().padStart(decimals + 1, "0")
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

// Rounds half up to integers of minor units, independently of the code under test.
const rounded = (numerator: bigint, denominator: bigint): bigint => (2n * numerator + denominator) / (2n * denominator)
const minor = (amount: string, decimals: number): bigint => tenThousandths(amount) / 10n ** BigInt(4 - decimals)
const expectedOf = (base: bigint, discount: PromoDiscount, decimals: number): bigint => {
  const exact =
    "flatDiscount" in discount
      ? rounded(tenThousandths(discount.flatDiscount), 10n ** BigInt(4 - decimals))
      : rounded(base * tenThousandths(discount.percentDiscount), 1_000_000n)
  return lesser(exact, base)
}
const sumOf = (values: ReadonlyArray<bigint>): bigint => values.reduce((sum, value) => sum + value, 0n)
const lesser = (a: bigint, b: bigint): bigint => (a > b ? b : a)

const currencies = fc.constantFrom("JPY", "USD", "KWD", "CLF")
const discounts: fc.Arbitrary<PromoDiscount> = fc.oneof(
  fc.bigInt({ min: 1n, max: 50_000_000n }).map((value) => flat(formatted(value, 4))),
  fc.bigInt({ min: 0n, max: 1_000_000n }).map((value) => percent(formatted(value, 4)))
)
const payments: fc.Arbitrary<GrossPayment> = currencies.chain((currency) => {
  const decimals = exponentOf(currency)
  const amounts = fc.bigInt({ min: 0n, max: 999_999_999_999n }).map((value) => formatted(value, decimals))
  return fc.record({
    currency: fc.constant(currency),
    amount: amounts,
    products: fc.array(fc.record({ base: amounts, discount: discounts }), { maxLength: 4 }),
    whole: fc.option(discounts, { nil: undefined })
  })
})

describe("discountsOf", () => {
  it("applies the discounts of products first, then that of the whole to the rest", () => {
    assert.deepStrictEqual(
      discountsOf({
        amount: "299.99",
        currency: "USD",
        products: [
          { base: "100.00", discount: percent("10") },
          { base: "50", discount: flat("5.5") }
        ],
        whole: percent("50")
      }),
      { discount: "157.75", amountDue: "142.24", perProduct: ["10", "5.5"] }
    )
  })

  it("rounds half up to the minor unit of the currency, also a flat discount", () => {
    for (const [amount, currency, whole, discount, amountDue] of [
      ["0.01", "USD", percent("50"), "0.01", "0"],
      ["0.01", "USD", percent("49.9999"), "0", "0.01"],
      ["1.005", "KWD", percent("50"), "0.503", "0.502"],
      ["101", "JPY", percent("0.5"), "1", "100"],
      ["99", "JPY", percent("0.5"), "0", "99"],
      ["100", "JPY", flat("10.5"), "11", "89"],
      ["100", "USD", flat("0.0049"), "0", "100"],
      ["999999999.99", "USD", percent("33.3333"), "333333000", "666666999.99"]
    ] as const) {
      assert.deepInclude(
        discountsOf({ amount, currency, products: [], whole }),
        { discount, amountDue },
        `${JSON.stringify(whole)} of ${amount} ${currency}`
      )
    }
  })

  it("is limited to its base and to the gross amount", () => {
    const products = [
      { base: "80", discount: flat("500") },
      { base: "80", discount: percent("100") }
    ]
    assert.deepStrictEqual(discountsOf({ amount: "100", currency: "USD", products, whole: flat("1") }), {
      discount: "100",
      amountDue: "0",
      perProduct: ["80", "80"]
    })
    assert.deepInclude(discountsOf({ amount: "0", currency: "USD", products: [], whole: percent("100") }), {
      discount: "0",
      amountDue: "0"
    })
  })

  it("equals the result in integers of minor units, is never negative, and adds up to the gross amount", () => {
    fc.assert(
      fc.property(payments, (payment) => {
        const decimals = exponentOf(payment.currency)
        const units = (amount: string) => minor(amount, decimals)
        const gross = units(payment.amount)
        const each = payment.products.map(({ base, discount }) => expectedOf(units(base), discount, decimals))
        const ofProducts = lesser(sumOf(each), gross)
        const ofWhole = payment.whole === undefined ? 0n : expectedOf(gross - ofProducts, payment.whole, decimals)

        const { amountDue, discount, perProduct } = discountsOf(payment)
        for (const amount of [amountDue, discount, ...perProduct]) {
          assert.match(amount, /^\d+(\.\d+)?$/)
          assert.isAtMost(amount.split(".")[1]?.length ?? 0, decimals)
          assert.isTrue(Number.isSafeInteger(toMinorUnits(amount, decimals)))
        }
        assert.deepStrictEqual(perProduct.map(units), each)
        assert.strictEqual(units(discount), ofProducts + ofWhole)
        assert.strictEqual(units(amountDue) + units(discount), gross)
      })
    )
  })

  it("does not depend on the order of the products", () => {
    fc.assert(
      fc.property(payments, (payment) => {
        const { perProduct, ...total } = discountsOf(payment)
        const reversed = discountsOf({ ...payment, products: payment.products.toReversed() })
        assert.deepStrictEqual({ ...reversed, perProduct: reversed.perProduct.toReversed() }, { ...total, perProduct })
      })
    )
  })

  it("truncates a base with more decimals than its currency", () => {
    const products = [{ base: "10.99", discount: percent("100") }]
    assert.deepStrictEqual(discountsOf({ amount: "100", currency: "JPY", products }), {
      discount: "10",
      amountDue: "90",
      perProduct: ["10"]
    })
  })
})
