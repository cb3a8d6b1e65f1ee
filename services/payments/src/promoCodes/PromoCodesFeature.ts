import { Layer } from "effect"
import { AdminPromoCodes } from "./AdminPromoCodes.ts"
import { AdminPromoCodesHandlers, PromoCodesHandlers } from "./http.ts"
import { PromoCodes } from "./PromoCodes.ts"

export const PromoCodesFeature = Layer.mergeAll(PromoCodesHandlers, AdminPromoCodesHandlers).pipe(
  Layer.provide([PromoCodes.layer, AdminPromoCodes.layer])
)
