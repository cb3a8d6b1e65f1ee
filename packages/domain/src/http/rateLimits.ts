import type { RateLimitRule } from "./annotations.ts"

const perMinute = (name: string, requests: number): RateLimitRule => ({ name, requests, windowSeconds: 60 })

/**
 * The rules that endpoints are annotated with (`RateLimit`). The list's is of the specification's "Limits"; it does not show
 * those of booking and cancellation.
 */
export const rateLimits = {
  /** What tells an organization whether others know a user, too. */
  userLookup: perMinute("USER_LOOKUP", 300),
  appointmentsList: perMinute("APPOINTMENTS_LIST", 500),
  appointmentsBooking: perMinute("APPOINTMENTS_BOOKING", 100),
  appointmentsCancel: perMinute("APPOINTMENTS_CANCEL", 100)
}
