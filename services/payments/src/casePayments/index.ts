export { CasePaymentsFeature } from "./CasePaymentsFeature.ts"
export { NewPaymentsFeature } from "./newPayments/NewPaymentsFeature.ts"
export { PaymentReadingFeature } from "./reading/PaymentReadingFeature.ts"
