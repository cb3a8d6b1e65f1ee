export { discountsOf } from "./discountsOf.ts"
export { makeGuessLimit } from "./makeGuessLimit.ts"
export { PromoCodes, type RedeemedPromoCode } from "./PromoCodes.ts"
export { PromoCodesFeature } from "./PromoCodesFeature.ts"
