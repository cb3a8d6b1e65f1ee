import { layerScheduled } from "../jobs/layerScheduled.ts"
import { type OldRows, removeOldRows } from "./removeOldRows.ts"

/** Removes the old rows of a service every hour, once however many instances there are. */
export const layerCleanup = (...kinds: ReadonlyArray<OldRows>) =>
  layerScheduled({ name: "cleanup", every: "1 hour", perform: removeOldRows(kinds) })
