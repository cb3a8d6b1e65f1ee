import { requestControl, sharedControls } from "../standIn/requestControl.ts"
import type { Dispute, DisputeStatus, PaymentIntent, Refund, SetupIntent } from "./objects.ts"
import type { ReceivedRequest } from "./readForm.ts"

interface Controlled {
  readonly url: string
  readonly secretKey: string
}

/** The operations of tests on the stand-in for Stripe. A refusal is a defect. */
export const stripeControl = ({ secretKey, url }: Controlled) => {
  const request = requestControl(url, secretKey)
  return {
    ...sharedControls<ReceivedRequest>(request),
    /**
     * Confirms an intent as a browser with its secret does, and returns the intent, also after a decline. Without a return URL the
     * browser returns to the stand-in.
     */
    confirm: (id: string, params: { readonly payment_method: string; readonly return_url?: string }) =>
      request<PaymentIntent | SetupIntent>("POST", `intents/${id}/confirm`, params),
    /** Makes the customer agree at their bank or lender. */
    authorize: (id: string) => request<PaymentIntent | SetupIntent>("POST", `intents/${id}/authorize`),
    /** Makes the customer refuse. */
    fail: (id: string) => request<PaymentIntent | SetupIntent>("POST", `intents/${id}/fail`),
    /** Makes the customer agree without a decision of the lender, which `authorize` or `fail` makes later. */
    process: (id: string) => request<PaymentIntent>("POST", `intents/${id}/process`),
    /** Opens a dispute of a payment. */
    dispute: (paymentIntent: string, reason = "fraudulent") =>
      request<Dispute>("POST", "disputes", { payment_intent: paymentIntent, reason }),
    /** Opens an inquiry (`warning_...`), which may become a dispute. */
    inquire: (paymentIntent: string) =>
      request<Dispute>("POST", "disputes", { payment_intent: paymentIntent, status: "warning_needs_response" }),
    /** Changes the status of a dispute. */
    moveDispute: (id: string, status: DisputeStatus) => request<Dispute>("POST", `disputes/${id}`, { status }),
    /** Makes the bank send a refund back. */
    failRefund: (id: string) => request<Refund>("POST", `refunds/${id}/fail`)
  }
}
