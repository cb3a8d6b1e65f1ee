export { Escalations } from "./Escalations.ts"
export { EscalationsFeature } from "./EscalationsFeature.ts"
export { EscalationRow } from "./EscalationsRepo.ts"
