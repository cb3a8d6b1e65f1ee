import type { Channel, Webhook } from "../standIn/Deliveries.ts"
import type { Ledger } from "./Ledger.ts"

// The client takes longer to load than the rest of the stand-in: only signing loads it.
const signatureOf = async (secret: string, timestamp: number, payload: string): Promise<string> => {
  const { default: Stripe } = await import("stripe")
  return Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
}

/** How Stripe delivers its events, each signed at the time of the attempt. */
export const stripeChannel = (ledger: Ledger, webhook: Webhook | undefined, now: () => number): Channel => ({
  givenUpMillis: 3 * 24 * 3600 * 1000,
  note: (id, outcome) => {
    const event = ledger.get("event", id)
    if (outcome === "delivered" && event !== undefined) ledger.put("event", id, { ...event, pending_webhooks: 0 })
  },
  messageOf: async (id) => {
    if (webhook === undefined) throw new Error("Events are not delivered.")
    const body = JSON.stringify(ledger.at("event", id))
    const headers = {
      "content-type": "application/json; charset=utf-8",
      "stripe-signature": await signatureOf(webhook.secret, Math.floor(now() / 1000), body)
    }
    return { url: webhook.url, headers, body }
  }
})
