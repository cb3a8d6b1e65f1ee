import { Schema } from "effect"
import { lengths } from "./bounds.ts"
import { nonBlankUpTo } from "./Text.ts"

/** The headers of an endpoint that takes effect once for each `Idempotency-Key`. Its errors list `IdempotencyConflict`. */
export const idempotencyHeader = {
  "idempotency-key": Schema.optionalKey(
    nonBlankUpTo(lengths.reference).annotate({
      description:
        "A key of your choice, new for every operation. A repeated request with the same key and body gets the same answer and has no further effect"
    })
  )
}
