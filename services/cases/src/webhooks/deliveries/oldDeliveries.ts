import type { OldRows } from "@care/service-kit"
import { storedFor } from "../events/eventMonths.ts"

/** The rows to delete when they are old: deliveries with their attempts, empty lanes, and events that are in no month of their own, in this order. */
export const oldDeliveries: ReadonlyArray<OldRows> = [
  { table: "webhook_deliveries", key: ["organization_id", "id"], since: "created_at", age: storedFor, batch: 200 },
  { table: "delivery_lanes", key: ["organization_id", "endpoint_id", "lane"], since: "changed_at", age: storedFor },
  { table: "events", key: ["organization_id", "id"], since: "created_at", age: storedFor },
  // Without an index by time, because it has rows only if months could not be prepared.
  { table: "events_default", key: ["organization_id", "id"], since: "created_at", age: storedFor, batch: 10_000 }
]
