import type { OldRows } from "@care/service-kit"

const age = "30 days"

/** The rows to delete when they are old: deliveries with their attempts, empty lanes, and events, in this order. */
export const oldDeliveries: ReadonlyArray<OldRows> = [
  { table: "webhook_deliveries", key: ["organization_id", "id"], since: "created_at", age, batch: 200 },
  { table: "delivery_lanes", key: ["organization_id", "endpoint_id", "lane"], since: "changed_at", age },
  { table: "events", key: ["organization_id", "id"], since: "created_at", age }
]
