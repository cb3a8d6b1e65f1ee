import type { PromoCode } from "@care/domain/payments"
import { organizationNow } from "../../client/clock.ts"
import type { BadgeLook } from "../../ui/Badge.tsx"

/** Returns whether a promo code can be used now, in words. */
export const promoCodeState = (promoCode: PromoCode): { readonly text: string; readonly look: BadgeLook } => {
  const { expiresAt, isActive, maxRedemptions, redemptions } = promoCode
  if (!isActive) return { text: "Disabled", look: "bad" }
  if (expiresAt !== null && expiresAt.getTime() <= organizationNow()) return { text: "Expired", look: "warn" }
  if (maxRedemptions !== null && redemptions >= maxRedemptions) return { text: "Used up", look: "warn" }
  return { text: "Active", look: "good" }
}
