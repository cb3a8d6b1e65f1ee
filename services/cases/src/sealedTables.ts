import { type SealedTable, sealedTable } from "@care/phi"
import { AttemptRow, WebhookEndpointRow } from "./webhooks/index.ts"

/** The columns that `PHI_KEY` itself seals: of partners' endpoints, and the answers to events that belong to no case. */
export const sealedTables: ReadonlyArray<SealedTable> = [
  ...["url", "secret", "previous_secret"].map((column) =>
    sealedTable(WebhookEndpointRow, column, { organization_id: "uuid", id: "uuid" })
  ),
  sealedTable(AttemptRow, "answer", { organization_id: "uuid", delivery_id: "uuid", number: "integer" })
]
