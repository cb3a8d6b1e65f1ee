import { makeCaller } from "./makeCaller.ts"
import type { OperationTable } from "./OperationTable.ts"
import { nextPage } from "./preparations.ts"
import { textAt, type World } from "./World.ts"

const place = { city: "San Francisco", state: "CA", country: "US" }

// A setup intent that a seeded patient has confirmed.
const confirmedSetup = async ({ partner, stripe, take }: World) => {
  const { caseId, email } = take()
  const secret = textAt(await partner.post("/api/v1/payments/setup", { email })(), "paymentSecret")
  const id = secret.slice(0, secret.indexOf("_secret_"))
  await stripe.setupIntents.confirm(id, { payment_method: "pm_card_visa", return_url: "https://shop.example.com" })
  return { caseId, email, id }
}

const completed = async (world: World) => {
  const { caseId, id: gatewaySetupID } = await confirmedSetup(world)
  const shippingAddress = { ...place, line1: "500 Howard Street", postal_code: "94105" }
  return { caseId, complete: world.partner.post("/api/v1/complete-payment-setup", { gatewaySetupID, shippingAddress }) }
}

// The amount of a payment of a seeded case is held on what the patient pays with.
const preauthorized = async (world: World) => {
  const { caseId, complete } = await completed(world)
  await complete()
  return world.partner.post(`/api/v1/cases/${caseId}/payments`, {
    amount: 49.5,
    description: "Second month",
    preauthorize: true
  })
}

const heldPayment = async (world: World) =>
  `/admin/v1/payments/${textAt(await (await preauthorized(world))(), "data", "result", "paymentId")}`

const capturedPayment = async (world: World) => {
  const path = await heldPayment(world)
  await world.operator.post(`${path}/capture`, {})()
  return path
}

// What the gateway tells of the intent that paid a seeded case.
const refundedIntent = ({ eventSecret, gatewayUrl, next, stripe }: World) => {
  const number = next()
  const object = { id: `ch_${number}`, payment_intent: `pi_${10 * number}`, captured: true, amount_refunded: 100 }
  const event = { id: `evt_told_${number}`, type: "charge.refunded", data: { object } }
  const payload = JSON.stringify(event)
  const signature = stripe.webhooks.generateTestHeaderString({ payload, secret: eventSecret })
  return makeCaller(gatewayUrl, { "stripe-signature": signature }).post("/webhooks/stripe", event)
}

/** What partners and operators do with payments, and with what patients pay with. */
export const paymentOperations: OperationTable = {
  "POST /api/v1/cases/:caseId/payments": ({ partner, take }) =>
    partner.post(`/api/v1/cases/${take().caseId}/payments`, { amount: 49.5, description: "Second month" }),
  "POST /api/v1/cases/:caseId/payments: preauthorized": preauthorized,
  "POST /webhooks/stripe": refundedIntent,
  "GET /admin/v1/payment-events": ({ operator }) => operator.get("/admin/v1/payment-events?limit=20"),
  "GET /admin/v1/payment-events: the next page": (world) => nextPage(world, "/admin/v1/payment-events?limit=20"),
  "GET /admin/v1/payments": ({ operator }) => operator.get("/admin/v1/payments"),
  "GET /admin/v1/payments: the next page of an organization": (world) =>
    nextPage(world, `/admin/v1/payments?organizationId=${world.organizationId}&limit=20`),
  "GET /admin/v1/payments: those of a case": ({ operator, take }) =>
    operator.get(`/admin/v1/payments?caseId=${take().caseId}`),
  "GET /admin/v1/payments: those of a status that few have": ({ operator }) =>
    operator.get("/admin/v1/payments?status=IN_DISPUTE"),
  "GET /admin/v1/payments/:paymentId": async (world) => world.operator.get(await heldPayment(world)),
  "POST /admin/v1/payments/:paymentId/capture": async (world) =>
    world.operator.post(`${await heldPayment(world)}/capture`, {}),
  "POST /admin/v1/payments/:paymentId/release": async (world) =>
    world.operator.post(`${await heldPayment(world)}/release`, undefined),
  "POST /admin/v1/payments/:paymentId/refund": async (world) =>
    world.operator.post(`${await capturedPayment(world)}/refund`, {}),
  "POST /api/v1/payments/intent": ({ partner, take }) =>
    partner.post("/api/v1/payments/intent", { amount: 49.5, metadata: { email: take().email } }),
  "POST /api/v1/payments/setup": ({ partner, take }) => partner.post("/api/v1/payments/setup", { email: take().email }),
  "POST /api/v1/complete-payment-setup": async (world) => (await completed(world)).complete,
  "POST /api/v1/users/UPDATE_PAYMENT_INFO": async (world) => {
    const { email, id } = await confirmedSetup(world)
    const shippingAddress = { ...place, addressLine1: "500 Howard Street", addressLine2: "", postalCode: "94105" }
    return world.partner.post("/api/v1/users", {
      action: "UPDATE_PAYMENT_INFO",
      email,
      data: { gatewaySetupId: id, gatewayPaymentToken: "pm_card_mastercard", shippingAddress }
    })
  },
  "POST /api/v1/customer-payment-confirmation": ({ partner, take }) =>
    partner.post("/api/v1/customer-payment-confirmation", {
      caseId: take().caseId,
      amount: 49.5,
      paymentDate: "2026-05-01",
      status: "PAID",
      validUntil: "2026-06-01"
    })
}
