import type { Charge } from "./Charge.ts"
import type { PaymentIntent } from "./PaymentIntent.ts"
import type { PaymentMethod } from "./PaymentMethod.ts"
import type { SetupIntent } from "./SetupIntent.ts"

/** What an error says, beside what every error says. */
export interface Reason {
  readonly type: "api_error" | "card_error" | "idempotency_error" | "invalid_request_error"
  readonly message: string
  readonly code?: string
  readonly decline_code?: string
  readonly param?: string
  readonly charge?: Charge["id"]
  readonly payment_intent?: PaymentIntent
  readonly payment_method?: PaymentMethod
  readonly setup_intent?: SetupIntent
}

/** An error of Stripe's API. Thrown, it undoes what its request did; returned, what the request did stays. */
export class Refusal extends Error {
  readonly status: number
  readonly reason: Reason

  constructor(status: number, reason: Reason) {
    super(reason.message)
    this.status = status
    this.reason = reason
  }
}

/** A request that makes no sense: 400. */
export const invalid = (message: string, more: Omit<Partial<Reason>, "message" | "type"> = {}): Refusal =>
  new Refusal(400, { type: "invalid_request_error", message, ...more })

/** An id in the path that nothing of its kind has: 404. */
export const unknownObject = (kind: string, id: string): Refusal =>
  new Refusal(404, {
    type: "invalid_request_error",
    code: "resource_missing",
    message: `No such ${kind}: '${id}'`,
    param: kind.endsWith("_intent") ? "intent" : "id"
  })

/** An id among the parameters that nothing of its kind has: 400. */
export const unknownParameter = (kind: string, id: string, param: string): Refusal =>
  invalid(`No such ${kind}: '${id}'`, { code: "resource_missing", param })
