import { Layer } from "effect"
import { Escalations } from "./Escalations.ts"
import { EscalationsHandlers } from "./http.ts"

/** What partners tell the care team to see to. Completing it is the back office's. */
export const EscalationsFeature = EscalationsHandlers.pipe(Layer.provide(Escalations.layer))
