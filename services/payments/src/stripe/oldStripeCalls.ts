import type { OldRows } from "@care/service-kit"

/**
 * Calls that nobody repeats any more: Stripe has long forgotten their keys, and our callers' own idempotency keys, which lead to
 * some of them, are kept for 30 days.
 */
export const oldStripeCalls: OldRows = { table: "stripe_calls", since: "attempted_at", age: "40 days" }
