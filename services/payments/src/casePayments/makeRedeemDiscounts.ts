import type { PromoCodeId } from "@care/domain/ids"
import type { PlannedPayment } from "@care/domain/payments"
import { Effect } from "effect"
import { discountsOf, PromoCodes, type RedeemedPromoCode } from "../promoCodes/index.ts"

// Returns the discount of the first use of each promo code; later uses, also under another name, have none.

const onceEach = (uses: ReadonlyArray<RedeemedPromoCode>) => {
  const used = new Set<PromoCodeId>()
  return uses.map(({ discount, promoCodeId }) => {
    const isFirst = !used.has(promoCodeId)
    used.add(promoCodeId)
    return isFirst ? discount : undefined
  })
}

/**
 * Makes the function that redeems the promo codes of a payment in the caller's transaction, and returns their total
 * discount or null. Each promo code counts once: for the whole payment, or else for the first product that names it.
 */
export const makeRedeemDiscounts = Effect.map(PromoCodes, ({ redeem }) =>
  Effect.fnUntraced(function* ({ amount, caseId, currency, discounts, organizationId }: PlannedPayment) {
    const { products, whole } = discounts
    const ofWhole = whole === null ? [] : [whole]
    const requested = [...ofWhole, ...products]
    if (requested.length === 0 || amount === null || currency === null) return null
    const redeemed = onceEach(yield* redeem(organizationId, caseId, requested))
    const perProduct = products.flatMap(({ price }, index) => {
      const discount = redeemed[ofWhole.length + index]
      return discount === undefined ? [] : [{ base: price, discount }]
    })
    const gross = { amount, currency, products: perProduct, whole: whole === null ? undefined : redeemed[0] }
    return discountsOf(gross).discount
  })
)
