import { call } from "../call.ts"
import type { Attempt } from "./Attempt.ts"

const shippingAddress = { line1: "1 Main Street", city: "Oakland", state: "CA", country: "US", postal_code: "94607" }

/** What is tried with what another organization sells, and with how its patients pay. */
export const paymentAttempts: Readonly<Record<string, Attempt>> = {
  "intents.createPaymentIntent": [
    [200],
    ({ key }, { user: { email } }) =>
      call("POST", "/api/v1/payments/intent", { key, body: { amount: 10, metadata: { email } } })
  ],
  "intents.createSetupIntent": [
    [200],
    ({ key }, { user: { email } }) => call("POST", "/api/v1/payments/setup", { key, body: { email } })
  ],
  "paymentSetup.completeSetup": [
    [401],
    ({ key }, { setupId }) =>
      call("POST", "/api/v1/complete-payment-setup", { key, body: { gatewaySetupID: setupId, shippingAddress } })
  ],
  "paymentInfo.updatePaymentInfo": [
    [400],
    ({ key }, { setupId, user: { email } }) =>
      call("POST", "/api/v1/users", {
        key,
        body: {
          action: "UPDATE_PAYMENT_INFO",
          email,
          data: {
            gatewaySetupId: setupId,
            gatewayPaymentToken: "pm_card_visa",
            shippingAddress: {
              addressLine1: "1 Main Street",
              addressLine2: "",
              city: "Oakland",
              state: "CA",
              country: "US",
              postalCode: "94607"
            }
          }
        }
      })
  ],
  "newPayments.create": [
    [401],
    ({ key }, { caseId }) =>
      call("POST", `/api/v1/cases/${caseId}/payments`, {
        key,
        body: { amount: 10, description: "Second month", preauthorize: true }
      })
  ],
  "paymentConfirmations.confirmPayment": [
    [401],
    ({ key }, { caseId }) =>
      call("POST", "/api/v1/customer-payment-confirmation", {
        key,
        body: { caseId, amount: 10, paymentDate: "2026-03-01", status: "PAID", validUntil: "2026-04-01" }
      })
  ],
  "bundles.list": [[200], ({ key }) => call("GET", "/api/v1/organization/bundles", { key })],
  "bundles.get": [
    [400],
    ({ key }, { bundleId }) =>
      call("GET", `/api/v1/organization/bundles/${bundleId}?includeIntakeForm=true&includeFollowupForm=true`, { key })
  ],
  "promoCodes.check": [
    [404],
    ({ key }, { bundleId, promoCode }) =>
      call("GET", `/api/v1/promo-codes?code=${promoCode}&product_bundle_id=${bundleId}`, { key })
  ]
}
