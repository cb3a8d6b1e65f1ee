import { Layer } from "effect"
import { Confirmations } from "./Confirmations.ts"
import { ConfirmationsHandlers } from "./http.ts"

/** Payments that were made outside the service. */
export const ConfirmationsFeature = ConfirmationsHandlers.pipe(Layer.provide(Confirmations.layer))
