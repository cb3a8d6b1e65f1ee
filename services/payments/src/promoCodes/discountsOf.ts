import { exponentOf, type PromoDiscount } from "@care/domain/payments"
import { BigDecimal } from "effect"

/** A part of a payment that has a discount of its own: what the discount is of, in major units, and the discount. */
interface DiscountedProduct {
  readonly base: string
  readonly discount: PromoDiscount
}

/** A payment before its discounts. Amounts are exact decimals in major units of `currency`. */
export interface GrossPayment {
  readonly amount: string
  readonly currency: string
  readonly products: ReadonlyArray<DiscountedProduct>
  /** Of the whole payment. */
  readonly whole?: PromoDiscount | undefined
}

/**
 * What a payment comes to: `discount` and `amountDue` are together the gross amount; `perProduct` has what each product's own
 * discount takes off it, in their order.
 */
export interface Discounts {
  readonly discount: string
  readonly amountDue: string
  readonly perProduct: ReadonlyArray<string>
}

const parse = BigDecimal.fromStringUnsafe

const shareOf = (base: BigDecimal.BigDecimal, percent: string) =>
  BigDecimal.multiply(base, BigDecimal.multiply(parse(percent), BigDecimal.make(1n, 2)))

/**
 * The discounts of a payment. Each is rounded half up to the currency's minor unit, and is at most what it is of. Those of
 * products come first, and that of the whole is of what they leave; together they are at most the gross amount, whatever the
 * products' bases add up to.
 */
export const discountsOf = ({ amount, currency, products, whole }: GrossPayment): Discounts => {
  const scale = exponentOf(currency)
  const discountOf = (given: BigDecimal.BigDecimal, discount: PromoDiscount) => {
    const base = BigDecimal.truncate(given, scale)
    const exact = "flatDiscount" in discount ? parse(discount.flatDiscount) : shareOf(base, discount.percentDiscount)
    return BigDecimal.min(BigDecimal.round(exact, { scale, mode: "half-from-zero" }), base)
  }

  const gross = parse(amount)
  const perProduct = products.map(({ base, discount }) => discountOf(parse(base), discount))
  const ofProducts = BigDecimal.min(BigDecimal.sumAll(perProduct), gross)
  const left = BigDecimal.subtract(gross, ofProducts)
  const ofWhole = whole === undefined ? BigDecimal.make(0n, 0) : discountOf(left, whole)
  return {
    discount: BigDecimal.format(BigDecimal.sum(ofProducts, ofWhole)),
    amountDue: BigDecimal.format(BigDecimal.subtract(left, ofWhole)),
    perProduct: perProduct.map(BigDecimal.format)
  }
}
