import { callers } from "@care/domain/http"
import { Effect, Schedule } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { ServiceConfig } from "../config/ServiceConfig.ts"
import { RequestId, requestIdHeader } from "../http/RequestId.ts"
import { IdentityTokens, identityHeader } from "../identity/IdentityTokens.ts"
import { outsideTransaction } from "../sql/outsideTransaction.ts"
import { makeCircuitBreaker } from "./makeCircuitBreaker.ts"
import { PeerUnavailable } from "./PeerUnavailable.ts"

/**
 * The HTTP client for calls to one other service: with the identity of this one, the request id and the trace context,
 * 3 seconds a try, two more tries for what passes by itself (every internal endpoint is idempotent), and a circuit
 * breaker. A peer that stays away or broken is a defect (`PeerUnavailable`), which the endpoint answers with 503. A call inside a
 * database transaction is refused, as a defect.
 */
export const peerHttpClient = Effect.fnUntraced(function* (peer: string, baseUrl: string) {
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

  return (yield* HttpClient.HttpClient).pipe(
    HttpClient.mapRequest(HttpClientRequest.prependUrl(baseUrl)),
    HttpClient.mapRequestEffect(authenticate),
    HttpClient.transform((call) =>
      Effect.andThen(
        requireNoTransaction,
        guarded(
          call.pipe(
            Effect.timeout("3 seconds"),
            Effect.mapError((cause) => new PeerUnavailable({ peer, cause })),
            Effect.filterOrFail(
              ({ status }) => status < 500,
              ({ status }) => new PeerUnavailable({ peer, status })
            ),
            Effect.retry({ times: 2, schedule: Schedule.exponential("50 millis") })
          )
        )
      ).pipe(Effect.orDie)
    )
  )
})
