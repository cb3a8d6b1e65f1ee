import { Layer } from "effect"
import { Escalations } from "./Escalations.ts"
import { EscalationsHandlers } from "./http.ts"

/** The escalations of partners. The back office completes them. */
export const EscalationsFeature = EscalationsHandlers.pipe(Layer.provide(Escalations.layer))
