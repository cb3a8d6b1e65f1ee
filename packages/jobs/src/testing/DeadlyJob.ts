import { Schema } from "effect"
import { upTo } from "../RetryPolicy.ts"

/** A kind of job for tests: a `deadly` job ends the process that runs it, an `innocent` one does nothing. */
export const DeadlyJob = {
  name: "deadly",
  version: 1,
  schema: Schema.Struct({ kind: Schema.Literals(["deadly", "innocent"]), name: Schema.String, note: Schema.String }),
  retries: upTo(50)
}
