export { ConfirmationsFeature } from "./ConfirmationsFeature.ts"
export { ConfirmationRow } from "./ConfirmationsRepo.ts"
