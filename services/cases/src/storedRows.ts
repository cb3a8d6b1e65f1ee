import type { StoredRows } from "@care/service-kit"

/**
 * The tables whose rows count against an organization's quotas. The time of a delivery is that of its event, which may be old: see
 * `Quotas.recountSoon`.
 */
export const storedRows: ReadonlyArray<StoredRows> = [
  { kind: "EVENTS", table: "events", since: "created_at" },
  { kind: "DELIVERIES", table: "webhook_deliveries", since: "created_at" },
  { kind: "DOCUMENTS", table: "documents", since: "uploaded_at", bytes: "size" }
]
