import type { Fixtures } from "./Fixtures.ts"
import type { Operations, Recipe } from "./Operation.ts"

const denied = { error: "Permission denied" }
const place = { city: "San Francisco", state: "CA", country: "US" }
const promo = "a promo code is nobody's"
const events = "names no patient and no case; when a payment is named, that it was read is recorded"

const held =
  (body: object = {}): Recipe =>
  async (of) => ({ params: { paymentId: await of.heldPaymentId() }, body })

const preauthorized: Recipe = async (of) => ({
  params: { caseId: (await of.savedMethod()).caseId },
  body: { amount: 49.5, description: "Second month", preauthorize: true }
})

const toldOfCharge = async (of: Fixtures, type: string, object: object) => {
  const payment_intent = await of.paidIntentId()
  return { body: { id: `evt_told_${of.next()}`, type, data: { object: { ...object, payment_intent } } } }
}

/** What is done with payments, and with what patients pay with. */
export const payments = {
  "newPayments.create": {
    request: async (of) => ({
      params: { caseId: (await of.case()).caseId },
      body: { amount: 49.5, description: "Second month" }
    }),
    also: {
      preauthorized
    },
    foreign: {
      status: 401,
      body: denied,
      nobodys: { message: "No Case found for provided details!" },
      request: preauthorized
    },
    spares: ["idempotencyKey"]
  },
  "intents.createPaymentIntent": {
    request: async (of) => {
      const { email, phoneNumber: phone } = await of.case()
      return { body: { amount: 49.5, metadata: { email, phone } } }
    },
    foreign: { status: 200 },
    unaudited: "what the gateway is to be paid is not yet anybody's",
    spares: ["paymentMethodTypes.*"],
    addsNothing: []
  },
  "intents.createSetupIntent": {
    request: async (of) => {
      const { email, phoneNumber: phone } = await of.case()
      return { body: { email, metadata: { email, phone } } }
    },
    foreign: { status: 200 },
    unaudited: "a method that is to be saved is not yet anybody's",
    addsNothing: []
  },
  "paymentSetup.completeSetup": {
    request: async (of) => ({
      body: {
        gatewaySetupID: (await of.setup()).setupId,
        shippingAddress: { ...place, line1: "500 Howard Street", postal_code: "94105" }
      }
    }),
    foreign: {
      status: 401,
      body: denied,
      nobodys: { status: 400, error: "No setup intent exists for the id <id>" }
    },
    spares: ["shippingAddress.postal_code"],
    quotes: "which setup intent there is none of",
    addsNothing: []
  },
  "paymentInfo.updatePaymentInfo": {
    request: async (of) => {
      const { email, setupId: gatewaySetupId } = await of.setup()
      const shippingAddress = { ...place, addressLine1: "500 Howard Street", addressLine2: "", postalCode: "94105" }
      return { body: { email, data: { gatewaySetupId, gatewayPaymentToken: "pm_card_mastercard", shippingAddress } } }
    },
    foreign: { status: 400 },
    spares: [
      "gatewaySetupId",
      "gatewayPaymentToken",
      "shippingAddress",
      "data.email",
      "data.gatewayPaymentToken",
      "data.shippingAddress.state",
      "data.shippingAddress.country",
      "data.shippingAddress.postalCode"
    ],
    quotes: "which setup intent there is none of",
    addsNothing: []
  },
  "paymentConfirmations.confirmPayment": {
    request: async (of) => ({
      body: {
        caseId: (await of.case()).caseId,
        amount: 49.5,
        paymentDate: "2026-05-01",
        status: "PAID",
        validUntil: "2026-06-01"
      }
    }),
    foreign: { status: 401, body: denied, nobodys: { status: 400, error: "No Case found for provided details!" } },
    spares: ["email", "phoneNumber"]
  },
  "gatewayEvents.received": {
    request: (of) =>
      toldOfCharge(of, "charge.refunded", {
        id: `ch_${of.next()}`,
        captured: true,
        amount_refunded: 100,
        description: of.text
      }),
    also: {
      "an intent that failed": async (of) => ({
        body: {
          id: `evt_told_${of.next()}`,
          type: "payment_intent.payment_failed",
          data: {
            object: {
              id: await of.paidIntentId(),
              status: "requires_payment_method",
              receipt_email: await of.newEmail(),
              last_payment_error: { message: of.text, payment_method: { billing_details: { name: of.text } } }
            }
          }
        }
      })
    },
    spares: ["id", "type", "api_version"]
  },
  "adminPayments.list": {
    request: async (of) => ({ query: { caseId: (await of.case()).caseId } }),
    also: {
      all: () => ({}),
      "those of a status that few have": () => ({ query: { status: "IN_DISPUTE" } })
    },
    pages: { "the next page of an organization": ({ organizationId }) => ({ query: { organizationId } }) }
  },
  "adminPayments.get": { request: held() },
  "adminPayments.capture": { request: held() },
  "adminPayments.release": { request: held() },
  "adminPayments.refund": { request: async (of) => ({ params: { paymentId: await of.takenPaymentId() }, body: {} }) },
  "adminGatewayEvents.list": {
    request: () => ({ query: { limit: "20" } }),
    pages: { "the next page": () => ({}) },
    unaudited: events
  },
  "promoCodes.check": {
    request: async (of) => ({ query: { code: await of.promoCode() } }),
    foreign: { status: 404 },
    unaudited: promo
  },
  "adminPromoCodes.create": {
    request: ({ next, organizationId }) => {
      const number = next()
      return { body: { code: `Created ${number}`, name: `Name ${number}`, organizationId, flatDiscount: 25 } }
    },
    unaudited: promo,
    own: true
  },
  "adminPromoCodes.list": {
    request: () => ({}),
    also: {
      "those of a name that many have": () => ({ query: { code: "welcome" } })
    },
    pages: { "the next page of an organization": ({ organizationId }) => ({ query: { organizationId } }) },
    unaudited: promo,
    own: true
  },
  "adminPromoCodes.change": {
    request: async (of) => ({ params: { promoCodeId: await of.promoCodeId() }, body: { isActive: false } }),
    unaudited: promo
  }
} satisfies Partial<Operations>
