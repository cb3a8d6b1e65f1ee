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

/** What a client has to know of the calls that it makes. */
export interface PeerCalls {
  /**
   * The peer asks somebody else's server before it answers, for two tries of 5 seconds. Such a call has 12 seconds, which leaves
   * the rest of a request some of the gateway's 20, and is tried again only if it was never answered: any other try
   * would ask that server anew.
   */
  readonly callsThirdParty?: boolean
}

const tries = { times: 2, schedule: Schedule.exponential("50 millis") }

/**
 * The HTTP client for calls to one other service: with the identity of this one, the request id and the trace context,
 * 3 seconds a try (more for those that `callsThirdParty`), two more tries for what passes by itself (every internal endpoint is idempotent),
 * and a circuit breaker of its own. A peer that stays away or broken is a defect (`PeerUnavailable`), which the endpoint answers with 503.
 * A call inside a database transaction is refused, as a defect.
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
