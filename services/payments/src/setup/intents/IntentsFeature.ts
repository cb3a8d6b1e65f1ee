import { Layer } from "effect"
import { IntentsHandlers } from "./http.ts"
import { Intents } from "./Intents.ts"

/** The payment intents and setup intents that partners create for patients. */
export const IntentsFeature = IntentsHandlers.pipe(Layer.provide(Intents.layer))
