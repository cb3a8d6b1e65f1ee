import { Layer } from "effect"
import { Bundles } from "./Bundles.ts"
import { BundlesHandlers } from "./http.ts"

export const BundlesFeature = BundlesHandlers.pipe(Layer.provide(Bundles.layer))
