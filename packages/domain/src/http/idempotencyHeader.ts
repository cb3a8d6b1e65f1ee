import { Schema } from "effect"
import { lengths } from "./bounds.ts"
import { nonBlankUpTo } from "./Text.ts"

/** The headers of an endpoint that takes effect once for each `Idempotency-Key`. Its errors list `IdempotencyConflict`. */
export const idempotencyHeader = {
  "idempotency-key": Schema.optionalKey(
    nonBlankUpTo(lengths.reference).annotate({
      description: "Of your choice, new for every operation: a key takes effect once, and is answered the same again"
    })
  )
}
