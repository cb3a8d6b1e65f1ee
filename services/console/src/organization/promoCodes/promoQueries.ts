import { AdminPromoCodesApi } from "@care/domain/admin"
import type { OrganizationId } from "@care/domain/ids"
import { Effect } from "effect"
import { clientOf } from "../../client/clientOf.ts"

export const { adminPromoCodes } = Effect.runSync(clientOf(AdminPromoCodesApi))

/** The key of the promo codes of an organization, or of those that belong to none. */
export const promoCodesKey = (organizationId: OrganizationId | undefined) =>
  ["promo-codes", organizationId ?? "PLATFORM"] as const
