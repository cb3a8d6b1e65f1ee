import type { Identity } from "@care/domain/http"
import { Context, Effect, type Layer, References } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { type IdentityRefusal, IdentityTokens, identityHeader, refusalHeader } from "../identity/IdentityTokens.ts"
import { Lane } from "../sql/Lane.ts"
import { noRequest, RequestId, requestIdHeader } from "./RequestId.ts"

export const CurrentIdentity = Context.Reference<Identity | undefined>("@care/service-kit/http/CurrentIdentity", {
  defaultValue: () => undefined
})

/** The answer to a call that does not come from the gateway or another service. */
export const identityRejected = HttpServerResponse.jsonUnsafe({ status: 401, error: "Unauthorized" }, { status: 401 })

// A 503 and not a 401, because the credential is right, and the call may be repeated.
const refused = (refusal: IdentityRefusal) =>
  HttpServerResponse.jsonUnsafe(
    { status: 503, error: refusal.message },
    { status: 503, headers: refusalHeader(refusal) }
  )

const isOpen = (url: string): boolean => url.startsWith("/health/") || url === "/metrics"

// Operators and staff read lists of whole organizations, which must not delay partners. Their writes are like all others.
const mayBeSlow = ({ _tag }: Identity, method: string): boolean =>
  (_tag === "operator" || _tag === "staff") && method === "GET"

// Whether a service makes the call without a request that caused it.
const hasNoRequest = ({ _tag }: Identity, { headers }: HttpServerRequest.HttpServerRequest): boolean =>
  _tag === "service" && headers[requestIdHeader] === noRequest

// Sets the fiber's context instead of providing services: the boundary reads the route from that context afterwards, and a provided
// context would be gone by then. The enclosing request restores the context.
const identifiedContext = (
  identity: Identity,
  request: HttpServerRequest.HttpServerRequest,
  context: Context.Context<never>
) => {
  const identified = Context.add(context, CurrentIdentity, identity)
  const inLane = mayBeSlow(identity, request.method) ? Context.add(identified, Lane, "slowReads") : identified
  return hasNoRequest(identity, request)
    ? inLane.pipe(
        Context.add(RequestId, noRequest),
        Context.add(References.CurrentLogAnnotations, { requestId: noRequest })
      )
    : inLane
}

/**
 * Refuses calls without a valid identity token, on all paths except health and metrics. There it refuses those whose token shows that all
 * calls of their sender are refused.
 */
export const layerIdentity: Layer.Layer<never, never, HttpRouter.HttpRouter | IdentityTokens> = HttpRouter.middleware(
  Effect.map(
    IdentityTokens,
    (tokens) => (httpEffect) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
        Effect.matchEffect(tokens.verify(request.headers[identityHeader]), {
          onFailure: (refusal) => Effect.succeed(refused(refusal)),
          onSuccess: (identity) => {
            if (isOpen(request.url)) return httpEffect
            if (identity === undefined) return Effect.succeed(identityRejected)
            return Effect.withFiber((fiber) => {
              fiber.setContext(identifiedContext(identity, request, fiber.context))
              return httpEffect
            })
          }
        })
      )
  ),
  { global: true }
)
