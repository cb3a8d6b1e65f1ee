export * from "./ownReconciliationApi.ts"
export * from "./Reconciliation.ts"
export * from "./ReconciliationsApi.ts"
