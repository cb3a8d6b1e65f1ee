import { Schema } from "effect"

/** The filters of the request log, as the address of the screen has them. Times are in ISO 8601. */
export const RequestLogSearch = Schema.Struct({
  status: Schema.optional(Schema.Literals(["2xx", "4xx", "5xx"])),
  // Both are chosen in the list: whoever types a path may type what identifies a patient.
  method: Schema.optional(Schema.Literals(["GET", "POST", "PUT", "PATCH", "DELETE"])),
  path: Schema.optional(Schema.String),
  requestId: Schema.optional(Schema.String),
  since: Schema.optional(Schema.String)
})
export type RequestLogSearch = typeof RequestLogSearch.Type
