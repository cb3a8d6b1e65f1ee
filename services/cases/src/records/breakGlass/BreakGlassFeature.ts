import { Layer } from "effect"
import { BreakGlasses } from "./BreakGlasses.ts"
import { BreakGlassHandlers } from "./http.ts"

/** Access of providers to cases that are not theirs. */
export const BreakGlassFeature = BreakGlassHandlers.pipe(Layer.provide(BreakGlasses.layer))
