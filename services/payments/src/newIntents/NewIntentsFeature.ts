import { Layer } from "effect"
import { NewIntentsHandlers } from "./http.ts"
import { NewIntents } from "./NewIntents.ts"

/** What patients pay and save payment methods with at the gateway. */
export const NewIntentsFeature = NewIntentsHandlers.pipe(Layer.provide(NewIntents.layer))
