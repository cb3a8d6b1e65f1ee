import type { OldRows } from "@care/service-kit"

/**
 * Rows that nobody asks for again, because the idempotency keys that lead to them are gone. The provider's events have ids and times
 * alone: nobody knows whose meetings they are.
 */
export const oldBookingRows: ReadonlyArray<OldRows> = [
  { table: "bookings", since: "asked_at", age: "90 days" },
  { table: "cancellations", since: "asked_at", age: "90 days" },
  { table: "provider_events", since: "received_at", age: "30 days" }
]
