import { callers } from "@care/domain/http"
import { type Duration, Effect, Schedule } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { ServiceConfig } from "../config/ServiceConfig.ts"
import { RequestId, requestIdHeader } from "../http/RequestId.ts"
import { clockSkewHeader } from "../identity/ClockSkew.ts"
import { IdentityTokens, identityHeader } from "../identity/IdentityTokens.ts"
import { outsideTransaction } from "../sql/outsideTransaction.ts"
import { makeCircuitBreaker } from "./makeCircuitBreaker.ts"
import { PeerUnavailable } from "./PeerUnavailable.ts"

/** Properties of the calls of a client. */
export interface PeerCalls {
  /**
   * Whether the peer calls a third party before it answers, with two tries of 5 seconds. Such a call has 12 seconds, of the gateway's 20
   * for a request, and is retried only if it had no answer, because a retry would call the third party again.
   */
  readonly callsThirdParty?: boolean
}

const tries = { times: 2, schedule: Schedule.exponential("50 millis") }

/**
 * Makes the HTTP client for calls to another service. It sends the identity of this service, the request id and the trace context. A try
 * has 3 seconds (more if the peer `callsThirdParty`), and temporary failures are retried twice: every internal endpoint is idempotent.
 * It has a circuit breaker of its own. A peer that stays unavailable is a defect (`PeerUnavailable`), which is answered with 503, and so is
 * a call inside a database transaction.
 */
export const peerHttpClient = Effect.fnUntraced(function* (
  peer: string,
  baseUrl: string,
  { callsThirdParty = false }: PeerCalls = {}
) {
  const { name } = yield* ServiceConfig
  const tokens = yield* IdentityTokens
  const identity = callers.service.Identity.make({ service: name })
  const requireNoTransaction = yield* outsideTransaction(`The ${peer} service was called`)
  const guarded = makeCircuitBreaker<PeerUnavailable>({
    failures: 5,
    openMillis: 500,
    refused: () => new PeerUnavailable({ peer }),
    isAway: ({ status }) => status !== 500
  })

  const authenticate = Effect.fnUntraced(function* (request: HttpClientRequest.HttpClientRequest) {
    return HttpClientRequest.setHeaders(request, {
      [identityHeader]: yield* tokens.mint(identity),
      [requestIdHeader]: yield* RequestId
    })
  })

  const within = (duration: Duration.Input) =>
    Effect.timeoutOrElse({ duration, orElse: () => Effect.fail(new PeerUnavailable({ peer })) })

  return (yield* HttpClient.HttpClient).pipe(
    HttpClient.mapRequest(HttpClientRequest.prependUrl(baseUrl)),
    HttpClient.mapRequestEffect(authenticate),
    HttpClient.transform((call) => {
      const answered = call.pipe(
        Effect.mapError((cause) => new PeerUnavailable({ peer, cause })),
        Effect.filterOrFail(
          ({ status }) => status < 500,
          ({ headers, status }) => {
            const skew = headers[clockSkewHeader]
            return new PeerUnavailable({ peer, status, ...(skew !== undefined && { skewSeconds: Number(skew) }) })
          }
        )
      )
      const told = Effect.tapError(answered, (failure) =>
        failure.skewSeconds === undefined ? Effect.void : Effect.logError(failure.message)
      )
      const tried = callsThirdParty
        ? told.pipe(Effect.retry({ ...tries, while: ({ status }) => status === undefined }), within("12 seconds"))
        : told.pipe(within("3 seconds"), Effect.retry(tries))
      return Effect.andThen(requireNoTransaction, guarded(tried)).pipe(Effect.orDie)
    })
  )
})
