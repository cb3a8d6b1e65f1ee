import { Layer } from "effect"
import { StatusChangesHandlers } from "./http.ts"
import { StatusChanges } from "./StatusChanges.ts"

/** Cases that their partners open, close and reopen. */
export const StatusChangesFeature = StatusChangesHandlers.pipe(Layer.provide(StatusChanges.layer))
