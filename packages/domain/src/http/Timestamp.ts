import { Schema } from "effect"

/** A moment, on the wire in ISO 8601: UTC with milliseconds and `Z`. */
export const Timestamp = Schema.Date.annotate({ description: "ISO 8601, UTC with milliseconds" })
