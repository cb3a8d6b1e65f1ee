import type { PromoCodeId } from "@care/domain/ids"
import type { PlannedPayment } from "@care/domain/payments"
import { Effect } from "effect"
import { discountsOf, PromoCodes, type RedeemedPromoCode } from "../promoCodes/index.ts"

// What each use takes off: the first of each promo code, whatever it was called; the others nothing.
const onceEach = (uses: ReadonlyArray<RedeemedPromoCode>) => {
  const taken = new Set<PromoCodeId>()
  return uses.map(({ discount, promoCodeId }) => {
    const isFirst = !taken.has(promoCodeId)
    taken.add(promoCodeId)
    return isFirst ? discount : undefined
  })
}

/**
 * Uses the promo codes of a payment, and answers what they take off together, if there are any: a part of the caller's
 * transaction. Each promo code is taken off once: the whole, if it names it, or else the first product that does.
 */
export const makeRedeemDiscounts = Effect.map(PromoCodes, ({ redeem }) =>
  Effect.fnUntraced(function* ({ amount, caseId, currency, discounts, organizationId }: PlannedPayment) {
    const { products, whole } = discounts
    const ofWhole = whole === null ? [] : [whole]
    const asked = [...ofWhole, ...products]
    if (asked.length === 0 || amount === null || currency === null) return null
    const taken = onceEach(yield* redeem(organizationId, caseId, asked))
    const perProduct = products.flatMap(({ price }, index) => {
      const discount = taken[ofWhole.length + index]
      return discount === undefined ? [] : [{ base: price, discount }]
    })
    const gross = { amount, currency, products: perProduct, whole: whole === null ? undefined : taken[0] }
    return discountsOf(gross).discount
  })
)
