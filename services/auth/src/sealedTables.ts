import { type SealedTable, sealedTable } from "@care/phi"
import { MessageRow } from "./messages/index.ts"
import { SingleSignOnRow } from "./staff/index.ts"

/** The columns that `PHI_KEY` itself seals: the secrets of organizations at their OpenID providers, and the messages of sandboxes. */
export const sealedTables: ReadonlyArray<SealedTable> = [
  sealedTable(SingleSignOnRow, "client_secret", { organization_id: "uuid" }),
  sealedTable(MessageRow, "sealed_text", { organization_id: "uuid", id: "uuid" })
]
