import { Layer } from "effect"
import { IntentsHandlers } from "./http.ts"
import { Intents } from "./Intents.ts"

/** What patients pay and save payment methods with at the gateway. */
export const IntentsFeature = IntentsHandlers.pipe(Layer.provide(Intents.layer))
