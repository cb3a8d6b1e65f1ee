import type { CreateCase } from "@care/domain/cases"
import type { Mistake } from "@care/domain/http"
import type { BundleId, ProductId } from "@care/domain/ids"
import type { RequestedDiscounts } from "@care/domain/payments"
import type { ProductOffer } from "../catalogue/index.ts"

interface PromoCodesOfRequest {
  readonly discounts: RequestedDiscounts
  /** The codes of products without a price, or with one in another currency. */
  readonly problems: ReadonlyArray<Mistake>
}

export const hasPromoCodes = ({ payment, products }: CreateCase): boolean =>
  payment?.promoCode !== undefined || products.some((product) => product.payment?.promoCode !== undefined)

/**
 * Returns the promo codes of a case creation. The code of a product lowers its price in the catalogue, which is in the payment's currency by
 * default. The code of the whole payment is valid for the bundles that have all products of the case.
 */
export const requestedDiscounts = (
  { payment, products }: CreateCase,
  offers: ReadonlyMap<ProductId, ProductOffer>
): PromoCodesOfRequest => {
  const bundlesOf = (id: ProductId): ReadonlyArray<BundleId> => offers.get(id)?.bundleIds ?? []
  const [first = [], ...others] = products.map(({ id }) => bundlesOf(id))
  const inAll = first.filter((bundleId) => others.every((bundleIds) => bundleIds.includes(bundleId)))

  const ofProducts: Array<RequestedDiscounts["products"][number]> = []
  const problems: Array<Mistake> = []
  products.forEach(({ id, payment: productPayment }, index) => {
    if (productPayment?.promoCode === undefined) return
    const { currency = null, price = null } = offers.get(id) ?? {}
    const refuse = (reason: string) => problems.push({ path: `products.${index}.payment.promoCode`, reason })
    if (price === null) refuse("needs a product that has a price")
    else if (currency !== null && currency !== payment?.currency) {
      refuse(`needs a product that has its price in the currency of the payment, not in ${currency}`)
    } else ofProducts.push({ code: productPayment.promoCode, bundleIds: bundlesOf(id), price })
  })
  const whole = payment?.promoCode === undefined ? null : { code: payment.promoCode, bundleIds: inAll }
  return { discounts: { whole, products: ofProducts }, problems }
}
