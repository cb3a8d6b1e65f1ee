import { IdempotencyConflict } from "@care/domain/http"

/** The answer to a creation whose patient was erased at the same time. */
export const erasedMeanwhile = new IdempotencyConflict({
  reason: "The patient was erased at the same time. Send the request again."
})
