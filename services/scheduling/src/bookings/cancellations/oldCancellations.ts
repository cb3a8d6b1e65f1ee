import type { OldRows } from "@care/service-kit"

/** Cancellations that nobody asks for again: the idempotency keys that know them are gone. */
export const oldCancellations: OldRows = { table: "cancellations", since: "asked_at", age: "90 days" }
