import { IdempotencyConflict } from "@care/domain/http"

/** What a creation is answered whose patient was erased just then. */
export const erasedMeanwhile = new IdempotencyConflict({
  reason: "The patient was erased at the same time. Send the request again."
})
