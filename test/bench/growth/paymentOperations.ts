import type { OperationTable } from "./OperationTable.ts"
import { textAt, type World } from "./World.ts"

const place = { city: "San Francisco", state: "CA", country: "US" }

// A setup intent that a seeded patient has confirmed.
const confirmedSetup = async ({ partner, stripe, take }: World) => {
  const { email } = take()
  const secret = textAt(await partner.post("/api/v1/payments/setup", { email })(), "paymentSecret")
  const id = secret.slice(0, secret.indexOf("_secret_"))
  await stripe.setupIntents.confirm(id, { payment_method: "pm_card_visa", return_url: "https://shop.example.com" })
  return { email, id }
}

/** What partners do with payments, and with what patients pay with. */
export const paymentOperations: OperationTable = {
  "POST /api/v1/payments/intent": ({ partner, take }) =>
    partner.post("/api/v1/payments/intent", { amount: 49.5, metadata: { email: take().email } }),
  "POST /api/v1/payments/setup": ({ partner, take }) => partner.post("/api/v1/payments/setup", { email: take().email }),
  "POST /api/v1/complete-payment-setup": async (world) =>
    world.partner.post("/api/v1/complete-payment-setup", {
      gatewaySetupID: (await confirmedSetup(world)).id,
      shippingAddress: { ...place, line1: "500 Howard Street", postal_code: "94105" }
    }),
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
