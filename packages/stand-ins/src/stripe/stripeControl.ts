import { askControl, sharedQuestions } from "../standIn/askControl.ts"
import type { Dispute, DisputeStatus, PaymentIntent, Refund, SetupIntent } from "./objects.ts"
import type { ReceivedRequest } from "./ReceivedRequest.ts"

interface Controlled {
  readonly url: string
  readonly secretKey: string
}

/** What tests ask of the stand-in for Stripe, beside what Stripe's API is asked. Fails as a defect with what was refused. */
export const stripeControl = ({ secretKey, url }: Controlled) => {
  const ask = askControl(url, secretKey)
  return {
    ...sharedQuestions<ReceivedRequest>(ask),
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
    /** The cardholder's bank inquires about a payment: a dispute that is an inquiry (`warning_...`) until it is moved on. */
    inquire: (paymentIntent: string) =>
      ask<Dispute>("POST", "disputes", { payment_intent: paymentIntent, status: "warning_needs_response" }),
    /** A dispute goes on, or ends; an inquiry becomes a dispute; a loss is won by an appeal. */
    moveDispute: (id: string, status: DisputeStatus) => ask<Dispute>("POST", `disputes/${id}`, { status }),
    /** The bank sends a refund back. */
    failRefund: (id: string) => ask<Refund>("POST", `refunds/${id}/fail`)
  }
}
