export * from "./Reconciliation.ts"
export * from "./ReconciliationsApi.ts"
