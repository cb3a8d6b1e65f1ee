import type { OldRows } from "@care/service-kit"

/** Events of the gateway that are not sent again any more; what they told of their intents stays. */
export const oldPaymentEvents: OldRows = { table: "payment_events", since: "created_at", age: "90 days" }
