import { Schema } from "effect"

/** A deadly job ends the process that works on it, an innocent one does nothing. */
export const DeadlyJob = Schema.Struct({ kind: Schema.Literals(["deadly", "innocent"]), note: Schema.String })
