import { Schema } from "effect"
import { upTo } from "../RetryPolicy.ts"

/** Of these a deadly one ends the process that works on it, and an innocent one does nothing. */
export const DeadlyJob = {
  name: "deadly",
  version: 1,
  schema: Schema.Struct({ kind: Schema.Literals(["deadly", "innocent"]), name: Schema.String, note: Schema.String }),
  retries: upTo(50)
}
