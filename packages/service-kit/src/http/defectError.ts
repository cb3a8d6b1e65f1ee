import { InternalError, Unavailable } from "@care/domain/http"
import { Cause, Data, Effect } from "effect"
import { HttpClientError } from "effect/http"
import { SqlError } from "effect/sql"
import { AccountMissing, PeerUnavailable } from "../internal/PeerUnavailable.ts"
import { isFrozen } from "../moves/OrganizationMoved.ts"
import { SandboxReset } from "../sql/requireNotReset.ts"
import { sqlStateOf } from "../sql/sqlStateOf.ts"
import { safeCause } from "../telemetry/safeCause.ts"
import { AnswerLost } from "../time/testMode.ts"
import { RequestId } from "./RequestId.ts"

/** A read was refused because it cannot be recorded: the outbox cannot be written, or is full. */
export class AuditUnavailable extends Data.TaggedError("AuditUnavailable")<{ readonly cause: unknown }> {}

/** An erasure cannot be listed, so it is not answered as done. */
export class ErasureNotListed extends Data.TaggedError("ErasureNotListed")<{ readonly cause: unknown }> {}

// Temporary SQLSTATEs that the driver does not count as connection errors: 57P.. (the server shuts down or starts up) and 53... (out of
// connections, memory or disk).
const temporary = /^(57P|53)/

/**
 * Whether a failure is temporary: the database or another service does not answer, a read or an erasure cannot be recorded, the
 * organization moves to another cell, or the sandbox is reset.
 */
export const isUnavailable = (failure: unknown): boolean =>
  failure instanceof PeerUnavailable ||
  failure instanceof AccountMissing ||
  failure instanceof AuditUnavailable ||
  failure instanceof ErasureNotListed ||
  isFrozen(failure) ||
  failure instanceof SandboxReset ||
  failure instanceof AnswerLost ||
  (HttpClientError.isHttpClientError(failure) && failure.reason._tag === "TransportError") ||
  (SqlError.isSqlError(failure) && (failure.isRetryable || temporary.test(sqlStateOf(failure))))

/** Logs a defect, and returns the error that the caller gets, which has only the request id. */
export const defectError = (cause: Cause.Cause<unknown>): Effect.Effect<InternalError | Unavailable> =>
  Effect.flatMap(RequestId, (requestId): Effect.Effect<InternalError | Unavailable> => {
    const failure = Cause.squash(cause)
    // A partner does that, as often as it likes.
    if (failure instanceof SandboxReset)
      return Effect.as(Effect.logInfo(failure.message), new Unavailable({ requestId }))
    return isUnavailable(failure)
      ? Effect.as(Effect.logWarning("A dependency did not answer", safeCause(cause)), new Unavailable({ requestId }))
      : Effect.as(Effect.logError("Request failed", safeCause(cause)), new InternalError({ requestId }))
  })
