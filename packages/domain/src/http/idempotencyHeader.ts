import { Schema } from "effect"
import { lengths } from "./bounds.ts"
import { nonBlankUpTo } from "./Text.ts"

/**
 * The headers of an endpoint that takes an `Idempotency-Key` and takes effect once a key: the same key and body, the same
 * answer; the same key with another body, `IdempotencyConflict`, which the endpoint lists.
 */
export const idempotencyHeader = {
  "idempotency-key": Schema.optionalKey(
    nonBlankUpTo(lengths.reference).annotate({
      description: "Of your choice, new for every operation: a key takes effect once, and is answered the same again"
    })
  )
}
