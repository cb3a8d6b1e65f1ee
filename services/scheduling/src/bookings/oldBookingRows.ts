import type { OldRows } from "@care/service-kit"

/**
 * Bookings and cancellations are deleted after the idempotency keys that refer to them. Events of the provider have only ids and times,
 * because their patients are unknown.
 */
export const oldBookingRows: ReadonlyArray<OldRows> = [
  { table: "bookings", since: "asked_at", age: "90 days" },
  { table: "cancellations", since: "asked_at", age: "90 days" },
  { table: "provider_events", since: "received_at", age: "30 days" }
]
