export * from "./CasePayment.ts"
export * from "./CasePaymentsApi.ts"
export * from "./PaymentsApi.ts"
