import type { StoredRows } from "@care/service-kit"

/** What an organization may store only so much of here. A delivery has the time of its event, which may have passed (`Quotas.recountSoon`). */
export const storedRows: ReadonlyArray<StoredRows> = [
  { kind: "EVENTS", table: "events", since: "created_at" },
  { kind: "DELIVERIES", table: "webhook_deliveries", since: "created_at" },
  { kind: "DOCUMENTS", table: "documents", since: "uploaded_at", bytes: "size" }
]
