export { findByOperationId } from "./findByOperationId.ts"
export { emptyIntentState, IntentState, type IntentUpdate, mergeIntentStates } from "./IntentState.ts"
export {
  organizationIn,
  patientIn,
  stateOfCharge,
  stateOfChargedIntent,
  stateOfDispute,
  stateOfIntent,
  stateOfRefund
} from "./intentStateOf.ts"
export { makeDigestOf } from "./makeDigestOf.ts"
export { oldStripeCalls } from "./oldStripeCalls.ts"
export { type CurrentIntent, PaymentIntents, RefundFailed } from "./PaymentIntents.ts"
export { apiVersion, dieUnavailable, Stripe, StripeFailed, StripeRefused } from "./Stripe.ts"
export { type StripeCall, StripeCalls } from "./StripeCalls.ts"
export { StripeSettings } from "./StripeSettings.ts"
export { stripeExponent } from "./stripeExponent.ts"
export { StripeCharge, StripeDispute, StripeIntent, StripeRefund } from "./stripeObjects.ts"
