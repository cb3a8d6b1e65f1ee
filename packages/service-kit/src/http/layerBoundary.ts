import { careClockHeader, errorCodeHeader } from "@care/domain/http"
import { Cause, Clock, Context, Effect, Option, References, Tracer } from "effect"
import { HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse, HttpTraceContext } from "effect/http"
import { recordRequest } from "../telemetry/requestMetrics.ts"
import { safeCause } from "../telemetry/safeCause.ts"
import { literalTarget } from "./literalTarget.ts"
import { clientRequestIdHeader, clientRequestIdOf, RequestId, requestIdHeader, requestIdOf } from "./RequestId.ts"

const notFound = HttpServerResponse.jsonUnsafe(
  { status: 404, success: false, error: "Not found" },
  { status: 404, headers: { [errorCodeHeader]: "NOT_FOUND" } }
)

const internalError = (requestId: string) =>
  HttpServerResponse.jsonUnsafe(
    { status: 500, success: false, message: "Internal server error", requestId },
    { status: 500, headers: { [errorCodeHeader]: "INTERNAL_ERROR" } }
  )

const isRouteNotFound = (failure: unknown): boolean =>
  HttpServerError.isHttpServerError(failure) && failure.reason._tag === "RouteNotFound"

/** Returns the answer for a request without a route, or undefined for 404. */
export type Unrouted = (
  request: HttpServerRequest.HttpServerRequest
) => HttpServerResponse.HttpServerResponse | undefined

// Answers an unknown path, and defects outside of endpoints.
const answerUnhandled = <E>(
  cause: Cause.Cause<E>,
  unrouted: Unrouted
): Effect.Effect<HttpServerResponse.HttpServerResponse, E, HttpServerRequest.HttpServerRequest> => {
  if (Cause.hasInterrupts(cause)) return Effect.failCause(cause)
  if (isRouteNotFound(Cause.squash(cause))) {
    return Effect.map(HttpServerRequest.HttpServerRequest, (request) => unrouted(request) ?? notFound)
  }
  return Effect.flatMap(RequestId, (requestId) =>
    Effect.as(Effect.logError("Request failed", safeCause(cause)), internalError(requestId))
  )
}

const routeOf = (context: Context.Context<never>): string =>
  Context.getOrUndefined(context, HttpRouter.RouteContext)?.route.path ?? "none"

/** Which requests are logged: all, those that failed (5xx) or took over a second, or none. */
export type AccessLog = "all" | "problems" | "none"

const slowMillis = 1000

// Probes and scrapes come every few seconds, and are in the metrics.
const isProbe = (route: string) => route.startsWith("/health/") || route === "/metrics"

const isLogged = (accessLog: AccessLog, route: string, status: number, millis: number): boolean =>
  !isProbe(route) && (accessLog === "all" || (accessLog === "problems" && (status >= 500 || millis > slowMillis)))

const traced = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  request: HttpServerRequest.HttpServerRequest,
  tracer: Tracer.Tracer
): Effect.Effect<A, E, R> =>
  tracer === Tracer.nativeTracer
    ? effect
    : Effect.withSpan(effect, `${request.method} request`, {
        kind: "server",
        parent: Option.getOrUndefined(HttpTraceContext.fromHeaders(request.headers))
      })

const withLiteralTarget = (request: HttpServerRequest.HttpServerRequest) => {
  const url = literalTarget(request.url)
  return url === request.url ? request : request.modify({ url })
}

// A forwarded answer already has these headers from the service, which got the same request id.
const withOwnHeaders = (
  response: HttpServerResponse.HttpServerResponse,
  requestId: string,
  clientRequestId: string | undefined
) =>
  clientRequestId === undefined &&
  response.headers[requestIdHeader] === requestId &&
  response.headers["cache-control"] === "no-store"
    ? response
    : HttpServerResponse.setHeaders(response, {
        [requestIdHeader]: requestId,
        ...(clientRequestId !== undefined && { [clientRequestIdHeader]: clientRequestId }),
        "x-content-type-options": "nosniff",
        // An answer may have health data or a key, unless it says that it is public.
        "cache-control": response.headers["cache-control"] ?? "no-store"
      })

/**
 * The outermost middleware of every process: it adds request id, trace span, metrics, log line and common headers, and answers everything
 * that no endpoint answers. It adds services to the context one by one, because a merge would copy all services for every request.
 */
export const layerBoundary = (options: { readonly accessLog: AccessLog; readonly unrouted: Unrouted }) =>
  HttpRouter.middleware(
    (httpEffect) => {
      const answered = Effect.catchCause(httpEffect, (cause) => answerUnhandled(cause, options.unrouted))
      return Effect.contextWith((context: Context.Context<HttpServerRequest.HttpServerRequest>) => {
        const request = Context.get(context, HttpServerRequest.HttpServerRequest)
        const clock = Context.get(context, Clock.Clock)
        const sentId = request.headers[requestIdHeader]
        const requestId = requestIdOf(sentId)
        const start = clock.currentTimeMillisUnsafe()

        const finish = (response: HttpServerResponse.HttpServerResponse) =>
          Effect.contextWith((routed: Context.Context<never>) => {
            const millis = clock.currentTimeMillisUnsafe() - start
            const route = routeOf(routed)
            const mode = response.headers[careClockHeader] === undefined ? "live" : "test"
            recordRequest(routed, request.method, mode, route, response.status, millis)
            const complete = Effect.succeed(withOwnHeaders(response, requestId, clientRequestIdOf(sentId)))
            return isLogged(options.accessLog, route, response.status, millis)
              ? Effect.andThen(Effect.logInfo(`${request.method} ${route} ${response.status} ${millis} ms`), complete)
              : complete
          })

        return traced(Effect.flatMap(answered, finish), request, Context.get(context, Tracer.Tracer)).pipe(
          Effect.updateContext((outer: Context.Context<HttpServerRequest.HttpServerRequest>) =>
            outer.pipe(
              Context.add(RequestId, requestId),
              Context.add(References.CurrentLogAnnotations, { requestId }),
              Context.add(HttpServerRequest.HttpServerRequest, withLiteralTarget(request))
            )
          )
        )
      })
    },
    { global: true }
  )
