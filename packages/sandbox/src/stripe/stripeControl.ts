import { Effect } from "effect"
import type { Delivery, Telling } from "./Deliveries.ts"
import type { Dispute } from "./Dispute.ts"
import type { PaymentIntent } from "./PaymentIntent.ts"
import type { ReceivedRequest } from "./Received.ts"
import type { Refund } from "./Refund.ts"
import type { SetupIntent } from "./SetupIntent.ts"
import type { Trouble } from "./Troubles.ts"

interface Controlled {
  readonly url: string
  readonly secretKey: string
}

/** What tests ask of the stand-in for Stripe, beside what Stripe's API is asked. Fails as a defect with what was refused. */
export const stripeControl = ({ secretKey, url }: Controlled) => {
  const ask = <A = unknown>(method: string, path: string, body?: unknown): Effect.Effect<A> =>
    Effect.promise(async () => {
      const answer = await fetch(`${url}/control/${path}`, {
        method,
        headers: { authorization: `Bearer ${secretKey}` },
        ...(body !== undefined && { body: JSON.stringify(body) })
      })
      const said = await answer.text()
      if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${said}`)
      return JSON.parse(said)
    })

  return {
    /** Makes something go wrong with requests to come. */
    addTrouble: (trouble: Trouble) => ask("POST", "troubles", trouble),
    /** Nothing goes wrong any more. */
    clearTroubles: ask("DELETE", "troubles"),
    /** The requests that came, the first one first. */
    requests: ask<ReadonlyArray<ReceivedRequest>>("GET", "requests"),
    forgetRequests: ask("DELETE", "requests"),
    /** Says how events are told from now on; nothing said is as always: at once, once, in order. */
    tellEvents: (telling: typeof Telling.Type) => ask("PUT", "deliveries", telling),
    /** The events that wait to be told, in the order in which they happened. */
    waitingEvents: ask<ReadonlyArray<Delivery>>("GET", "deliveries"),
    /** Tells of these events now, in this order, also again and also while others are held: the status of each answer. */
    sendEvents: (events: ReadonlyArray<string>) =>
      Effect.map(
        ask<{ readonly statuses: ReadonlyArray<number> }>("POST", "deliveries", { events }),
        ({ statuses }) => statuses
      ),
    /**
     * What a browser does with an intent of which it has the secret: the intent as it then is, also when the method was declined.
     * It comes back to the stand-in unless it is told where.
     */
    confirm: (id: string, given: { readonly payment_method: string; readonly return_url?: string }) =>
      ask<PaymentIntent | SetupIntent>("POST", `intents/${id}/confirm`, given),
    /** The customer agrees at their bank or lender. */
    authorize: (id: string) => ask<PaymentIntent | SetupIntent>("POST", `intents/${id}/authorize`),
    /** The customer does not. */
    fail: (id: string) => ask<PaymentIntent | SetupIntent>("POST", `intents/${id}/fail`),
    /** The customer agrees, and the lender takes its time: `authorize` or `fail` ends it. */
    process: (id: string) => ask<PaymentIntent>("POST", `intents/${id}/process`),
    /** The cardholder disputes a payment. */
    dispute: (paymentIntent: string, reason = "fraudulent") =>
      ask<Dispute>("POST", "disputes", { payment_intent: paymentIntent, reason }),
    /** A dispute goes on, or ends. */
    moveDispute: (id: string, status: "under_review" | "won" | "lost") =>
      ask<Dispute>("POST", `disputes/${id}`, { status }),
    /** The bank sends a refund back. */
    failRefund: (id: string) => ask<Refund>("POST", `refunds/${id}/fail`)
  }
}
