import { createHmac } from "node:crypto"
import type { Outbox, Webhook } from "../standIn/Deliveries.ts"
import { postEvent } from "../standIn/postEvent.ts"
import type { Books } from "./Books.ts"

/** What signs a body that is told: when it is, and a hash of both. */
const signatureOf = (secret: string, timestamp: number, body: string): string =>
  `t=${timestamp},v1=${createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")}`

/** The events that the scheduling provider tells of, each signed when it is told. */
export const schedulingOutbox = (books: Books, webhook: Webhook | undefined, now: () => number): Outbox => ({
  waiting: () => [...books.all("delivery")].reverse(),
  keep: (delivery) => void books.transact(() => books.put("delivery", delivery.event, delivery)),
  end: (event) => books.transact(() => books.remove("delivery", event)),
  post: async (id, signal) => {
    const event = books.get("event", id)
    if (event === undefined || webhook === undefined) throw new Error("There is nothing, or nobody, to tell.")
    const headers = {
      "content-type": "application/json",
      "calendly-webhook-signature": signatureOf(webhook.secret, Math.floor(now() / 1000), event.body)
    }
    return postEvent(webhook.url, headers, event.body, signal)
  }
})
