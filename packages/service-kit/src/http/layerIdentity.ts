import type { Identity } from "@care/domain/http"
import { Context, Effect, type Layer, References } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { type ClockSkew, clockSkewHeader } from "../identity/ClockSkew.ts"
import { IdentityTokens, identityHeader } from "../identity/IdentityTokens.ts"
import { Lane } from "../sql/Lane.ts"
import { noRequest, RequestId, requestIdHeader } from "./RequestId.ts"

/** On whose behalf the request being answered is made. */
export const CurrentIdentity = Context.Reference<Identity | undefined>("@care/service-kit/http/CurrentIdentity", {
  defaultValue: () => undefined
})

/** The answer to a call that does not come from the gateway or another service. */
export const identityRejected = HttpServerResponse.jsonUnsafe({ status: 401, error: "Unauthorized" }, { status: 401 })

// Whose clock is wrong nobody can say here, but that no credential is: the call may be made again.
const clockSkewed = ({ message, seconds }: ClockSkew) =>
  HttpServerResponse.jsonUnsafe(
    { status: 503, error: message },
    { status: 503, headers: { [clockSkewHeader]: String(seconds) } }
  )

const isOpen = (url: string): boolean => url.startsWith("/health/") || url === "/metrics"

// Operators look through whole organizations, and partners are not to wait for that. What operators change is like the rest.
const mayBeSlow = ({ _tag }: Identity, method: string): boolean => _tag === "operator" && method === "GET"

// What a service does by itself, it asks others for by itself.
const isCausedByNone = ({ _tag }: Identity, { headers }: HttpServerRequest.HttpServerRequest): boolean =>
  _tag === "service" && headers[requestIdHeader] === noRequest

// The route that is found stays in the fiber's context for the boundary, which counts requests by it: so what is known of the caller is
// put there, too, and not provided, which would take both away. The enclosing request restores the context.
const known = (identity: Identity, request: HttpServerRequest.HttpServerRequest, context: Context.Context<never>) => {
  const identified = Context.add(context, CurrentIdentity, identity)
  const inLane = mayBeSlow(identity, request.method) ? Context.add(identified, Lane, "slowReads") : identified
  return isCausedByNone(identity, request)
    ? inLane.pipe(
        Context.add(RequestId, noRequest),
        Context.add(References.CurrentLogAnnotations, { requestId: noRequest })
      )
    : inLane
}

/** Lets in only calls with a valid identity token, on every path but health and metrics, known or not. */
export const layerIdentity: Layer.Layer<never, never, HttpRouter.HttpRouter | IdentityTokens> = HttpRouter.middleware(
  Effect.map(
    IdentityTokens,
    (tokens) => (httpEffect) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
        isOpen(request.url)
          ? httpEffect
          : Effect.matchEffect(tokens.verify(request.headers[identityHeader]), {
              onFailure: (skew) => Effect.succeed(clockSkewed(skew)),
              onSuccess: (identity) => {
                if (identity === undefined) return Effect.succeed(identityRejected)
                return Effect.withFiber((fiber) => {
                  fiber.setContext(known(identity, request, fiber.context))
                  return httpEffect
                })
              }
            })
      )
  ),
  { global: true }
)
