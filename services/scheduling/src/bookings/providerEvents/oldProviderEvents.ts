import type { OldRows } from "@care/service-kit"

/**
 * What is not told again any more, of meetings that were booked by then or never will be: the idempotency keys by which
 * a booking is asked for again are gone. Whose meetings they are nobody knows; they have ids and times alone.
 */
export const oldProviderEvents: OldRows = { table: "provider_events", since: "received_at", age: "30 days" }
