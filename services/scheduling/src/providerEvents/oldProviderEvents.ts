import type { OldRows } from "@care/service-kit"

/** What is not told again any more, of meetings that were booked by then or never will be. */
export const oldProviderEvents: OldRows = { table: "provider_events", since: "received_at", age: "90 days" }
