import { Schema } from "effect"

/** Whether an organization and its keys are live, or those of a sandbox, where nothing reaches anybody outside. */
export const Mode = Schema.Literals(["live", "test"])
export type Mode = typeof Mode.Type
