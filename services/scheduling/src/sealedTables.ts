import { type SealedTable, sealedTable } from "@care/service-kit"
import { ProviderEventRow } from "./providerEvents/ProviderEventsRepo.ts"

/** What `PHI_KEY` itself seals: what was told of a meeting that nobody knows yet is nobody's. */
export const sealedTables: ReadonlyArray<SealedTable> = [
  sealedTable(ProviderEventRow, "told", { agent_event_id: "text", type: "text" })
]
