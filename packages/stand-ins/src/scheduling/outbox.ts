import { createHmac } from "node:crypto"
import type { Outbox } from "../standIn/Deliveries.ts"
import { postEvent } from "../standIn/postEvent.ts"
import type { Ledger } from "./Ledger.ts"
import { disable, setFailing } from "./subscriptions.ts"

/** What signs a body that is told: when it is, and a hash of both. */
const signatureOf = (secret: string, timestamp: number, body: string): string =>
  `t=${timestamp},v1=${createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")}`

const subscriptionOf = (ledger: Ledger, event: string): string => ledger.get("event", event)?.subscription ?? ""

/**
 * The events that the scheduling provider tells of, each signed when it is told. Who does not take one for 24 hours is told
 * nothing any more.
 */
export const schedulingOutbox = (ledger: Ledger, now: () => number): Outbox => ({
  givenUpMillis: 24 * 3600 * 1000,
  waiting: () => [...ledger.all("delivery")].reverse(),
  keep: (delivery) =>
    ledger.transact(() => {
      // It was deleted, or disabled, while it was told.
      if (ledger.get("delivery", delivery.event) === undefined) return
      ledger.put("delivery", delivery.event, delivery)
      setFailing(ledger, subscriptionOf(ledger, delivery.event), true, now())
    }),
  end: (event, isHeard) =>
    ledger.transact(() => {
      ledger.remove("delivery", event)
      const subscription = subscriptionOf(ledger, event)
      if (isHeard) setFailing(ledger, subscription, false, now())
      else disable(ledger, subscription, now())
    }),
  post: async (id, signal) => {
    const event = ledger.get("event", id)
    const webhook = event && ledger.get("subscription", event.subscription)
    if (event === undefined || webhook === undefined) throw new Error("There is nothing, or nobody, to tell.")
    const headers = {
      "content-type": "application/json",
      "calendly-webhook-signature": signatureOf(webhook.signingKey, Math.floor(now() / 1000), event.body)
    }
    return postEvent(webhook.url, headers, event.body, signal)
  }
})
