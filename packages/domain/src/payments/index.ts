export * from "./CasePayment.ts"
export * from "./money.ts"
export * from "./PaymentsApi.ts"
