import { type SealedTable, sealedTable } from "@care/phi"
import { PaymentRow } from "./payments/index.ts"

/** What `PHI_KEY` itself seals: what is told of payments of cases that are not stored yet. Whose they are to be is not known. */
export const sealedTables: ReadonlyArray<SealedTable> = [
  sealedTable(PaymentRow, "description", { organization_id: "uuid", id: "uuid" })
]
