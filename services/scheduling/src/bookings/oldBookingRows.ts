import type { OldRows } from "@care/service-kit"

/**
 * Bookings and cancellations are deleted after the idempotency keys that refer to them. Events of the provider have only ids and times,
 * because their patients are unknown.
 */
export const oldBookingRows: ReadonlyArray<OldRows> = [
  { table: "bookings", key: ["organization_id", "id"], since: "asked_at", age: "90 days" },
  { table: "cancellations", key: ["organization_id", "id"], since: "asked_at", age: "90 days" },
  { table: "provider_events", key: ["agent_event_id", "type"], since: "received_at", age: "30 days" }
]
