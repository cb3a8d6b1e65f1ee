import type { OldRows } from "@care/service-kit"

/** Bookings that nobody asks for again: the idempotency keys that know them are gone. */
export const oldBookings: OldRows = { table: "bookings", since: "asked_at", age: "90 days" }
