import type { OldRows } from "@care/service-kit"

/** Events that the gateway does not send again. The states of their intents stay. */
export const oldPaymentEvents: OldRows = { table: "payment_events", since: "created_at", age: "90 days" }
