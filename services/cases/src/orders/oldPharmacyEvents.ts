import type { OldRows } from "@care/service-kit"

/** Events of the pharmacy that are not sent again any more. */
export const oldPharmacyEvents: OldRows = { table: "pharmacy_events", since: "received_at", age: "90 days" }
