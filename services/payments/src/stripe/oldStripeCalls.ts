import type { OldRows } from "@care/service-kit"

/**
 * Calls that are not repeated any more: Stripe has forgotten their keys, and the callers' idempotency keys that refer to some of them are
 * kept for 30 days.
 */
export const oldStripeCalls: OldRows = {
  table: "stripe_calls",
  key: ["organization_id", "operation"],
  since: "attempted_at",
  age: "40 days"
}
