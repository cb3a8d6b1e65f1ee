import { AdminPromoCodesApi } from "@care/domain/admin"
import type { OrganizationId } from "@care/domain/ids"
import { Effect } from "effect"
import { clientOf } from "../../client/clientOf.ts"

export const { adminPromoCodes } = Effect.runSync(clientOf(AdminPromoCodesApi))

export const promoCodesKey = (organizationId: OrganizationId) => ["promo-codes", organizationId] as const
