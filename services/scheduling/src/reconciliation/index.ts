export { ReconciliationFeature } from "./ReconciliationFeature.ts"
