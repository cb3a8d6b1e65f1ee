import type { PromoCodeChange } from "@care/domain/admin"
import type { OrganizationId, PromoCodeId } from "@care/domain/ids"
import { useQueryClient } from "@tanstack/react-query"
import { send } from "../../client/send.ts"
import { adminPromoCodes, promoCodesKey } from "./promoQueries.ts"

/** Returns the function that changes a promo code. */
export const usePromoCodeChange = (organizationId: OrganizationId | undefined, promoCodeId: PromoCodeId) => {
  const client = useQueryClient()
  return async (payload: typeof PromoCodeChange.Type): Promise<void> => {
    await send(adminPromoCodes.change({ params: { promoCodeId }, payload }))
    void client.invalidateQueries({ queryKey: promoCodesKey(organizationId) })
  }
}
