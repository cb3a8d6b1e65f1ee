import type { Outbox, Webhook } from "../standIn/Deliveries.ts"
import { postEvent } from "../standIn/postEvent.ts"
import type { Ledger } from "./Ledger.ts"

// To load the client takes longer than everything else here: it is loaded when there is something to sign.
const signatureOf = async (secret: string, timestamp: number, payload: string): Promise<string> => {
  const { default: Stripe } = await import("stripe")
  return Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
}

/** The events that Stripe tells of, each signed when it is told. */
export const stripeOutbox = (ledger: Ledger, webhook: Webhook | undefined, now: () => number): Outbox => ({
  givenUpMillis: 3 * 24 * 3600 * 1000,
  waiting: () => [...ledger.all("delivery")].reverse(),
  keep: (delivery) => void ledger.transact(() => ledger.put("delivery", delivery.event, delivery)),
  end: (id, isHeard) =>
    ledger.transact(() => {
      const event = ledger.get("event", id)
      if (isHeard && event !== undefined) ledger.put("event", id, { ...event, pending_webhooks: 0 })
      ledger.remove("delivery", id)
    }),
  post: async (id, signal) => {
    const event = ledger.get("event", id)
    if (event === undefined || webhook === undefined) throw new Error("There is nothing, or nobody, to tell.")
    const payload = JSON.stringify(event)
    const headers = {
      "content-type": "application/json; charset=utf-8",
      "stripe-signature": await signatureOf(webhook.secret, Math.floor(now() / 1000), payload)
    }
    return postEvent(webhook.url, headers, payload, signal)
  }
})
