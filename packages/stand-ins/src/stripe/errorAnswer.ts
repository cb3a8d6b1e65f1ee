import type { Answer } from "../standIn/Answer.ts"
import { Refusal } from "./Refusal.ts"

/** An error as Stripe words it. */
export const errorAnswer = ({ reason, status }: Refusal, requestId: string): Answer => ({
  status,
  body: {
    error: {
      ...reason,
      ...(reason.code !== undefined && {
        doc_url: `https://stripe.com/docs/error-codes/${reason.code.replaceAll("_", "-")}`
      }),
      request_log_url: `https://dashboard.stripe.com/test/logs/${requestId}`
    }
  }
})

/** That something is wrong at Stripe. */
export const failed = (message = "Something is wrong on Stripe's side."): Refusal =>
  new Refusal(500, { type: "api_error", message })
