import { exponentOf, type PromoDiscount } from "@care/domain/payments"
import { BigDecimal } from "effect"

/** A part of a payment with its own discount: its base in major units, and the discount. */
interface DiscountedProduct {
  readonly base: string
  readonly discount: PromoDiscount
}

/** A payment before its discounts. Amounts are exact decimals in major units of `currency`. */
export interface GrossPayment {
  readonly amount: string
  readonly currency: string
  readonly products: ReadonlyArray<DiscountedProduct>
  /** The discount of the whole payment. */
  readonly whole?: PromoDiscount | undefined
}

/** The discounts of a payment. `discount` and `amountDue` add up to the gross amount; `perProduct` is in the order of the products. */
export interface Discounts {
  readonly discount: string
  readonly amountDue: string
  readonly perProduct: ReadonlyArray<string>
}

const parse = BigDecimal.fromStringUnsafe

const shareOf = (base: BigDecimal.BigDecimal, percent: string) =>
  BigDecimal.multiply(base, BigDecimal.multiply(parse(percent), BigDecimal.make(1n, 2)))

/**
 * Returns the discounts of a payment. Each is rounded half up to minor units and limited to its base. Products are
 * discounted first, and the whole by what is left; together they are at most the gross amount.
 */
export const discountsOf = ({ amount, currency, products, whole }: GrossPayment): Discounts => {
  const scale = exponentOf(currency)
  const discountOf = (full: BigDecimal.BigDecimal, discount: PromoDiscount) => {
    const base = BigDecimal.truncate(full, scale)
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
