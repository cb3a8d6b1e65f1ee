import { Layer } from "effect"
import { StatusChangesHandlers } from "./http.ts"
import { StatusChanges } from "./StatusChanges.ts"

/** Lets partners open, close and reopen their cases. */
export const StatusChangesFeature = StatusChangesHandlers.pipe(Layer.provide(StatusChanges.layer))
