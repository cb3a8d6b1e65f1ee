import { Schema } from "effect"

/** The filters of the request log, as the address of the screen has them. Times are in ISO 8601. */
export const RequestLogSearch = Schema.Struct({
  status: Schema.optional(Schema.Literals(["2xx", "4xx", "5xx"])),
  requestId: Schema.optional(Schema.String),
  since: Schema.optional(Schema.String)
})
export type RequestLogSearch = typeof RequestLogSearch.Type
