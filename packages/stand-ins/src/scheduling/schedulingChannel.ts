import { createHmac } from "node:crypto"
import type { Channel } from "../standIn/EventDeliveries.ts"
import type { Ledger } from "./Ledger.ts"
import { disable, setFailing } from "./subscriptions.ts"

// The signature is of the attempt's time and the body.
const signatureOf = (secret: string, timestamp: number, body: string): string =>
  `t=${timestamp},v1=${createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")}`

/** How the scheduling provider delivers its events. A subscription that fails for 24 hours is disabled. */
export const schedulingChannel = (ledger: Ledger, now: () => number): Channel => ({
  givenUpMillis: 24 * 3600 * 1000,
  note: (event, outcome) => {
    const subscription = ledger.get("event", event)?.subscription ?? ""
    if (outcome === "given up") disable(ledger, subscription, now())
    else setFailing(ledger, subscription, outcome === "failed", now())
  },
  receiversOf: (id) => {
    const event = ledger.get("event", id)
    return event === undefined ? [] : [event.subscription]
  },
  messageTo: async (subscription, id) => {
    const event = ledger.get("event", id)
    const webhook = ledger.get("subscription", subscription)
    if (event === undefined || webhook === undefined) throw new Error("There is no such event or subscription.")
    const headers = {
      "content-type": "application/json",
      "calendly-webhook-signature": signatureOf(webhook.signingKey, Math.floor(now() / 1000), event.body)
    }
    return { url: webhook.url, headers, body: event.body }
  }
})
