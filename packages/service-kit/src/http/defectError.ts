import { InternalError, Unavailable } from "@care/domain/http"
import { Cause, Effect } from "effect"
import { safeCause } from "../telemetry/safeCause.ts"
import { isUnavailable } from "./isUnavailable.ts"
import { RequestId } from "./RequestId.ts"

/** Logs a defect, and returns the error that the caller gets, which has only the request id. */
export const defectError = (cause: Cause.Cause<unknown>): Effect.Effect<InternalError | Unavailable> =>
  Effect.flatMap(
    RequestId,
    (requestId): Effect.Effect<InternalError | Unavailable> =>
      isUnavailable(Cause.squash(cause))
        ? Effect.as(Effect.logWarning("A dependency did not answer", safeCause(cause)), new Unavailable({ requestId }))
        : Effect.as(Effect.logError("Request failed", safeCause(cause)), new InternalError({ requestId }))
  )
