import type { PlannedPayment } from "@care/domain/payments"
import { Effect } from "effect"
import { discountsOf } from "../promoCodes/discountsOf.ts"
import { PromoCodes } from "../promoCodes/PromoCodes.ts"

/** Uses the promo codes of a payment, and answers what they take off together, if there are any: a part of the caller's transaction. */
export const makeRedeemDiscounts = Effect.map(PromoCodes, ({ redeem }) =>
  Effect.fnUntraced(function* ({ amount, caseId, currency, discounts, organizationId }: PlannedPayment) {
    const { products, whole } = discounts
    const asked = whole === null ? products : [...products, whole]
    if (asked.length === 0 || amount === null || currency === null) return null
    const redeemed = (yield* redeem(organizationId, caseId, asked)).map(({ discount }) => discount)
    const perProduct = products.flatMap(({ price }, index) => {
      const discount = redeemed[index]
      return discount === undefined ? [] : [{ base: price, discount }]
    })
    return discountsOf({ amount, currency, products: perProduct, whole: redeemed[products.length] }).discount
  })
)
