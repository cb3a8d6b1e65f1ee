import type { OldRows } from "@care/service-kit"

const age = "30 days"

/** Deliveries with their attempts, the lanes in which nothing is left, and events, in this order. */
export const oldDeliveries: ReadonlyArray<OldRows> = [
  { table: "webhook_deliveries", since: "created_at", age, batch: 200 },
  { table: "delivery_lanes", since: "changed_at", age },
  { table: "events", since: "created_at", age }
]
