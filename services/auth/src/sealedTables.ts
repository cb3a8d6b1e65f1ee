import { type SealedTable, sealedTable } from "@care/phi"
import { SingleSignOnRow } from "./staff/index.ts"

/** The columns that `PHI_KEY` itself seals: the secrets of organizations at their OpenID providers. */
export const sealedTables: ReadonlyArray<SealedTable> = [
  sealedTable(SingleSignOnRow, "client_secret", { organization_id: "uuid" })
]
