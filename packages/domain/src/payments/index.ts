export * from "./CasePayment.ts"
export * from "./PaymentsApi.ts"
