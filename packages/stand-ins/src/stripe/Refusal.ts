import type { StandInAnswer } from "../standIn/serveStandIn.ts"
import type { PaymentIntent, Reason, SetupIntent } from "./objects.ts"

interface RefusalReason extends Reason {
  readonly payment_intent?: PaymentIntent
  readonly setup_intent?: SetupIntent
}

/** An error of Stripe's API. Thrown, it undoes the changes of its request; returned, it keeps them. */
export class Refusal extends Error {
  readonly status: number
  readonly reason: RefusalReason

  constructor(status: number, reason: RefusalReason) {
    super(reason.message)
    this.status = status
    this.reason = reason
  }
}

/** Refuses a request with 400. */
export const invalid = (message: string, options: Omit<Partial<RefusalReason>, "message" | "type"> = {}): Refusal =>
  new Refusal(400, { type: "invalid_request_error", message, ...options })

/** Refuses an amount below 1 with 400. */
export const tooSmall = (param: string): Refusal =>
  invalid("An amount is at least 1.", { code: "parameter_invalid_integer", param })

/** Refuses an id in the path that no object of the kind has, with 404. */
export const unknownObject = (kind: string, id: string): Refusal =>
  new Refusal(404, {
    type: "invalid_request_error",
    code: "resource_missing",
    message: `No such ${kind}: '${id}'`,
    param: kind.endsWith("_intent") ? "intent" : "id"
  })

/** Refuses an id in a parameter that no object of the kind has, with 400. */
export const unknownParameter = (kind: string, id: string, param: string): Refusal =>
  invalid(`No such ${kind}: '${id}'`, { code: "resource_missing", param })

/** Refuses what an intent's status does not allow. */
export const unexpectedStatus = (intent: PaymentIntent | SetupIntent, action: string): Refusal =>
  intent.object === "payment_intent"
    ? invalid(`This PaymentIntent cannot be ${action} because it has a status of ${intent.status}.`, {
        code: "payment_intent_unexpected_state",
        payment_intent: intent
      })
    : invalid(`This SetupIntent cannot be ${action} because it has a status of ${intent.status}.`, {
        code: "setup_intent_unexpected_state",
        setup_intent: intent
      })

/** An error on Stripe's side. */
export const failed = (message = "Something is wrong on Stripe's side."): Refusal =>
  new Refusal(500, { type: "api_error", message })

/** Returns the answer for an error that was thrown; what is no refusal is an error on Stripe's side. */
export const errorAnswer = (error: unknown, requestId: string): StandInAnswer => {
  const { reason, status } = error instanceof Refusal ? error : failed(String(error))
  const page = reason.code?.replaceAll("_", "-")
  return {
    status,
    body: {
      error: {
        ...reason,
        ...(page !== undefined && { doc_url: `https://stripe.com/docs/error-codes/${page}` }),
        request_log_url: `https://dashboard.stripe.com/test/logs/${requestId}`
      }
    }
  }
}
