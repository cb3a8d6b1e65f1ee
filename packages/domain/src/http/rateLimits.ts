import type { RateLimitRule } from "./annotations.ts"

const perMinute = (name: string, requests: number): RateLimitRule => ({ name, requests, windowSeconds: 60 })

/**
 * The rules that requests count under: `writes` every write of the partner API, the others what is annotated with them
 * (`RateLimit`). The list's is of the specification's "Limits"; it does not show those of booking and cancellation.
 */
export const rateLimits = {
  /** Every POST, PATCH, PUT and DELETE of the partner API: what an organization may have done and stored. */
  writes: perMinute("WRITES", 3000),
  /** What has events sent again, or a test event sent: each may lead to thousands of requests of ours. */
  webhookReplays: perMinute("WEBHOOK_REPLAYS", 120),
  appointmentsList: perMinute("APPOINTMENTS_LIST", 500),
  appointmentsBooking: perMinute("APPOINTMENTS_BOOKING", 100),
  appointmentsCancel: perMinute("APPOINTMENTS_CANCEL", 100)
}

/**
 * The rules that answers count under: what tells an organization of what is not its own. The service that answers counts them
 * (`makeAnswerLimit`), because only it knows which do.
 */
export const answerLimits = {
  /** That somebody is a user of another organization, or nobody's. */
  userLookup: perMinute("USER_LOOKUP", 300),
  /** That a promo code is unknown. */
  promoCodes: perMinute("PROMO_CODES", 120)
}
