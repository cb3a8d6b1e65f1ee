import { Schema } from "effect"
import { nonBlankUpTo } from "./Text.ts"

/** The headers of an endpoint that takes an `Idempotency-Key`. */
export const idempotencyHeader = { "idempotency-key": Schema.optional(nonBlankUpTo(255)) }
