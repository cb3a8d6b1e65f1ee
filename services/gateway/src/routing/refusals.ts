import { Unavailable } from "@care/domain/http"
import { answerError, ClockSkew, defectError, RequestId, WrongCell } from "@care/service-kit"
import { Cause, Effect } from "effect"
import type { HttpServerResponse } from "effect/http"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { bodyTooLarge, bodyTooSlow, pathUnknown, tooManyAtOnce } from "../answers.ts"
import type { CallerLimits } from "../CallerLimits.ts"
import { ForwardFailed } from "../forwarding/index.ts"
import { TooManyAtOnce } from "../limits/index.ts"
import { BodyMemoryFull, BodyTooLarge, BodyTooSlow } from "../receiving/index.ts"
import { CellUnknown } from "./Callers.ts"

type Response = HttpServerResponse.HttpServerResponse

/**
 * Makes the function that answers failures. The gateway's own refusals have its own form; everything else, and its
 * defects, have the form of the endpoint's contract.
 */
export const makeRefusals = (limits: CallerLimits) => {
  const unavailable = (
    endpoint: HttpApiEndpoint.Top,
    reason: string,
    log = Effect.logWarning
  ): Effect.Effect<Response> =>
    Effect.flatMap(RequestId, (requestId) =>
      Effect.as(log(reason), answerError(endpoint, new Unavailable({ requestId })))
    )

  const refusal = (endpoint: HttpApiEndpoint.Top, failure: unknown): Effect.Effect<Response> => {
    const { path } = endpoint
    if (failure instanceof TooManyAtOnce) return Effect.succeed(tooManyAtOnce(path, failure))
    if (failure instanceof CellUnknown) return Effect.succeed(pathUnknown(path))
    if (failure instanceof BodyTooLarge) return Effect.succeed(bodyTooLarge(path, failure))
    if (failure instanceof BodyTooSlow) return Effect.succeed(bodyTooSlow(path, limits))
    if (failure instanceof BodyMemoryFull) return unavailable(endpoint, "The memory for request bodies is full")
    if (failure instanceof ForwardFailed) {
      // A refusal does not pass by itself.
      const isRefusal = failure.cause instanceof ClockSkew || failure.cause instanceof WrongCell
      const log = isRefusal ? Effect.logError : Effect.logWarning
      return unavailable(endpoint, failure.message, log)
    }
    return Effect.succeed(answerError(endpoint, failure))
  }

  return (endpoint: HttpApiEndpoint.Top) =>
    <E, R>(answer: Effect.Effect<Response, E, R>): Effect.Effect<Response, never, R> =>
      Effect.catchCause(answer, (cause) => {
        if (Cause.hasInterrupts(cause)) return Effect.interrupt
        return Cause.hasDies(cause)
          ? Effect.map(defectError(cause), (error) => answerError(endpoint, error))
          : refusal(endpoint, Cause.squash(cause))
      })
}
