import type { StoredRows } from "@care/service-kit"
import { storedFor } from "./webhooks/index.ts"

/**
 * The tables whose rows count against an organization's quotas. The time of a delivery is that of its event, which may be old, and
 * that of a sandbox's document may be ahead: see `Quotas.recountSoon`.
 */
export const storedRows: ReadonlyArray<StoredRows> = [
  { kind: "EVENTS", table: "monthly_events", since: "created_at", age: storedFor },
  { kind: "DELIVERIES", table: "webhook_deliveries", since: "created_at" },
  { kind: "DOCUMENTS", table: "documents", since: "uploaded_at", bytes: "size" }
]
