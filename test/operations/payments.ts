import type { Fixtures } from "./Fixtures.ts"
import type { MakeRequest, Operations } from "./Operation.ts"

const permissionDenied = { error: "Permission denied" }
const place = { city: "San Francisco", state: "CA", country: "US" }
const notAboutPatients = "a promo code is nobody's"
const noPatientOrCase = "names no patient and no case; when a payment is named, that it was read is recorded"

const ofHeldPayment =
  (body: object = {}): MakeRequest =>
  async (fixtures) => ({ params: { paymentId: await fixtures.heldPaymentId() }, body })

const preauthorized: MakeRequest = async (fixtures) => ({
  params: { caseId: (await fixtures.savedMethod()).caseId },
  body: { amount: 49.5, description: "Second month", preauthorize: true }
})

const ofHeldPaymentOfCase: MakeRequest = async (fixtures) => {
  const { caseId, paymentId } = await fixtures.heldPayment()
  return { params: { caseId, paymentId } }
}

const foreignPayment = {
  status: 401,
  body: permissionDenied,
  unknownIds: { message: "No Case found for provided details!" }
}

const chargeEvent = async (fixtures: Fixtures, type: string, object: object) => {
  const payment_intent = await fixtures.paidIntentId()
  return { body: { id: `evt_told_${fixtures.next()}`, type, data: { object: { ...object, payment_intent } } } }
}

/** The operations on payments, payment methods and promo codes. */
export const payments = {
  "newPayments.create": {
    request: async (fixtures) => ({
      params: { caseId: (await fixtures.case()).caseId },
      body: { amount: 49.5, description: "Second month" }
    }),
    variants: {
      preauthorized
    },
    foreign: { ...foreignPayment, request: preauthorized },
    unmarkedFields: ["idempotencyKey"]
  },
  "paymentReading.list": { request: ofHeldPaymentOfCase, foreign: foreignPayment },
  "paymentReading.get": { request: ofHeldPaymentOfCase, foreign: foreignPayment },
  "intents.createPaymentIntent": {
    request: async (fixtures) => {
      const { email, phoneNumber: phone } = await fixtures.case()
      return { body: { amount: 49.5, metadata: { email, phone } } }
    },
    foreign: { status: 200 },
    unaudited: "what the gateway is to be paid is not yet anybody's",
    unmarkedFields: ["paymentMethodTypes.*"],
    addsNothing: []
  },
  "intents.createSetupIntent": {
    request: async (fixtures) => {
      const { email, phoneNumber: phone } = await fixtures.case()
      return { body: { email, metadata: { email, phone } } }
    },
    foreign: { status: 200 },
    unaudited: "a method that is to be saved is not yet anybody's",
    addsNothing: []
  },
  "paymentSetup.completeSetup": {
    request: async (fixtures) => ({
      body: {
        gatewaySetupID: (await fixtures.setup()).setupId,
        shippingAddress: { ...place, line1: "500 Howard Street", postal_code: "94105" }
      }
    }),
    foreign: {
      status: 401,
      body: permissionDenied,
      unknownIds: { status: 400, error: "No setup intent exists for the id <id>" }
    },
    unmarkedFields: ["shippingAddress.postal_code"],
    quotes: "which setup intent there is none of",
    addsNothing: []
  },
  "paymentInfo.updatePaymentInfo": {
    request: async (fixtures) => {
      const { email, setupId: gatewaySetupId } = await fixtures.setup()
      const shippingAddress = { ...place, addressLine1: "500 Howard Street", addressLine2: "", postalCode: "94105" }
      return { body: { email, data: { gatewaySetupId, gatewayPaymentToken: "pm_card_mastercard", shippingAddress } } }
    },
    foreign: { status: 400 },
    unmarkedFields: [
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
    request: async (fixtures) => ({
      body: {
        caseId: (await fixtures.case()).caseId,
        amount: 49.5,
        paymentDate: "2026-05-01",
        status: "PAID",
        validUntil: "2026-06-01"
      }
    }),
    foreign: {
      status: 401,
      body: permissionDenied,
      unknownIds: { status: 400, error: "No Case found for provided details!" }
    },
    unmarkedFields: ["email", "phoneNumber"]
  },
  "gatewayEvents.received": {
    request: (fixtures) =>
      chargeEvent(fixtures, "charge.refunded", {
        id: `ch_${fixtures.next()}`,
        captured: true,
        amount_refunded: 100,
        description: fixtures.text
      }),
    variants: {
      "an intent that failed": async (fixtures) => ({
        body: {
          id: `evt_told_${fixtures.next()}`,
          type: "payment_intent.payment_failed",
          data: {
            object: {
              id: await fixtures.paidIntentId(),
              status: "requires_payment_method",
              receipt_email: await fixtures.newEmail(),
              last_payment_error: {
                message: fixtures.text,
                payment_method: { billing_details: { name: fixtures.text } }
              }
            }
          }
        }
      })
    },
    unmarkedFields: ["id", "type", "api_version"]
  },
  "adminPayments.list": {
    request: async (fixtures) => ({ query: { caseId: (await fixtures.case()).caseId } }),
    variants: {
      all: () => ({}),
      "those of a status that few have": () => ({ query: { status: "IN_DISPUTE" } })
    },
    pages: { "the next page of an organization": ({ organizationId }) => ({ query: { organizationId } }) }
  },
  "adminPayments.get": { request: ofHeldPayment() },
  "adminPayments.capture": { request: ofHeldPayment() },
  "adminPayments.release": { request: ofHeldPayment() },
  "adminPayments.refund": {
    request: async (fixtures) => ({ params: { paymentId: await fixtures.takenPaymentId() }, body: {} })
  },
  "adminGatewayEvents.list": {
    request: () => ({ query: { limit: "20" } }),
    pages: { "the next page": () => ({}) },
    unaudited: noPatientOrCase
  },
  "promoCodes.check": {
    request: async (fixtures) => ({ query: { code: await fixtures.promoCode() } }),
    foreign: { status: 404 },
    unaudited: notAboutPatients
  },
  "adminPromoCodes.create": {
    request: ({ next, organizationId }) => {
      const number = next()
      return { body: { code: `Created ${number}`, name: `Name ${number}`, organizationId, flatDiscount: 25 } }
    },
    unaudited: notAboutPatients,
    organizationFields: true
  },
  "adminPromoCodes.list": {
    request: () => ({}),
    variants: {
      "those of a name that many have": () => ({ query: { code: "welcome" } }),
      "those of no organization": () => ({ query: { isGlobal: "true" } })
    },
    pages: { "the next page of an organization": ({ organizationId }) => ({ query: { organizationId } }) },
    unaudited: notAboutPatients,
    organizationFields: true
  },
  "adminPromoCodes.change": {
    request: async (fixtures) => ({ params: { promoCodeId: await fixtures.promoCodeId() }, body: { isActive: false } }),
    unaudited: notAboutPatients
  }
} satisfies Partial<Operations>
