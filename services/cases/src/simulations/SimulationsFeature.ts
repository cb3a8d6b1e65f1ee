import { Layer } from "effect"
import { SimulationsHandlers } from "./http.ts"
import { Simulations } from "./Simulations.ts"

/** What others do with the cases of sandboxes. */
export const SimulationsFeature = SimulationsHandlers.pipe(Layer.provide(Simulations.layer))
