import { type SealedTable, sealedTable } from "@care/phi"
import { AttemptRow, WebhookEndpointRow } from "./webhooks/index.ts"

/** What `PHI_KEY` itself seals: what is of partners, and what was answered to events that are of no case. */
export const sealedTables: ReadonlyArray<SealedTable> = [
  ...["url", "secret", "previous_secret"].map((column) =>
    sealedTable(WebhookEndpointRow, column, { organization_id: "uuid", id: "uuid" })
  ),
  sealedTable(AttemptRow, "answer", { organization_id: "uuid", delivery_id: "uuid", number: "integer" })
]
