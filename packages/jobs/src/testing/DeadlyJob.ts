import { Schema } from "effect"
import { upTo } from "../RetryPolicy.ts"

/** A deadly job ends the process that runs it. An innocent one does nothing. */
export const DeadlyJob = {
  name: "deadly",
  version: 1,
  schema: Schema.Struct({ kind: Schema.Literals(["deadly", "innocent"]), name: Schema.String, note: Schema.String }),
  retries: upTo(50)
}
