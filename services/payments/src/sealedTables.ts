import { type SealedTable, sealedTable } from "@care/phi"
import { PaymentRow } from "./payments/index.ts"

/** The data that `PHI_KEY` itself seals: prepared payments, whose patients are not known yet. */
export const sealedTables: ReadonlyArray<SealedTable> = [
  sealedTable(PaymentRow, "description", { organization_id: "uuid", id: "uuid" })
]
