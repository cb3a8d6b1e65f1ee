import { Layer } from "effect"
import { Escalations } from "./Escalations.ts"
import { AdminEscalationsHandlers, EscalationsHandlers } from "./http.ts"

/** The escalations that partners and the care team add, and their list. The back office completes them. */
export const EscalationsFeature = Layer.merge(AdminEscalationsHandlers, EscalationsHandlers).pipe(
  Layer.provide(Escalations.layer)
)
