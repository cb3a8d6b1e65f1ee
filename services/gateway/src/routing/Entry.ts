import type { IncomingMessage } from "node:http"
import {
  ActionUnknown,
  type Identity,
  type KeyInvalid,
  type KeyMissing,
  LinkIdentity,
  OperatorIdentity,
  OperatorTokenRejected,
  PartnerIdentity,
  type RateLimited,
  Unavailable
} from "@care/domain"
import { answerError, defectError, IdentityTokens, RequestId } from "@care/service-kit"
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Cause, Context, Effect, Layer, Option, Predicate, Redacted, Schema } from "effect"
import { HttpServerRequest, type HttpServerResponse, HttpTraceContext } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { bodyTooLarge } from "../answers.ts"
import { type ForwardedRequest, Forwarder } from "../forwarding/Forwarder.ts"
import { bodyStream, declaresTooLarge, readBody } from "../forwarding/RequestBody.ts"
import { upstreamHeaders } from "../forwarding/upstreamHeaders.ts"
import { GatewaySettings } from "../GatewaySettings.ts"
import { KeyResolver } from "../keys/KeyResolver.ts"
import { makeOperatorCheck } from "../keys/operatorToken.ts"
import { RateLimits } from "../limits/RateLimits.ts"
import type { Route, SharedPath } from "./routes.ts"

type Answer = Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest>

type Sent = Effect.Effect<HttpServerResponse.HttpServerResponse, ActionUnknown | RateLimited>

const decodeFields = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))

const textField =
  (name: string) =>
  (body: Buffer): string | undefined => {
    const fields = decodeFields(body.toString("utf8"))
    const value = Option.isSome(fields) ? fields.value[name] : undefined
    return Predicate.isString(value) ? value : undefined
  }
const actionOf = textField("action")
const keyOf = textField("key")

const headerKey = ({ headers }: IncomingMessage): string | undefined => {
  const header = headers["cv-api-key"]
  return Array.isArray(header) ? header.join(",") : header
}

const methods = { GET: "GET", POST: "POST", PUT: "PUT", PATCH: "PATCH", DELETE: "DELETE" } as const
const isMethod = (method: string): method is keyof typeof methods => Object.hasOwn(methods, method)

/** How a request comes in: who makes it is found out, and it is sent on to the service that answers it. */
export class Entry extends Context.Service<
  Entry,
  {
    /** Answers a path of one endpoint. */
    readonly plain: (route: Route) => Answer
    /** Answers a path that several endpoints share: the body's `action` selects one. */
    readonly shared: (path: SharedPath) => Answer
  }
>()("@care/gateway/routing/Entry") {
  static readonly layer = Layer.effect(
    Entry,
    Effect.gen(function* () {
      const forwarder = yield* Forwarder
      const keys = yield* KeyResolver
      const limits = yield* RateLimits
      const tokens = yield* IdentityTokens
      const isOperator = makeOperatorCheck(Redacted.value((yield* GatewaySettings).adminToken))

      const partner = (key: string | undefined, requestId: string) =>
        Effect.map(keys.resolve(key), (resolved) => new PartnerIdentity({ ...resolved, requestId }))

      const operator = (request: IncomingMessage, requestId: string) =>
        isOperator(request.headers.authorization)
          ? Effect.succeed(new OperatorIdentity({ requestId }))
          : new OperatorTokenRejected()

      const identify = (
        access: Route["access"],
        request: IncomingMessage,
        requestId: string
      ): Effect.Effect<Identity, KeyMissing | KeyInvalid | OperatorTokenRejected> => {
        if (access === "partner") return partner(headerKey(request), requestId)
        return access === "operator" ? operator(request, requestId) : Effect.succeed(new LinkIdentity({ requestId }))
      }

      const limit = ({ endpoint, rateLimit }: Route, identity: Identity) =>
        rateLimit === undefined || identity._tag !== "partner"
          ? Effect.void
          : limits.count(endpoint.identifier, identity.organizationId, rateLimit)

      const send = Effect.fnUntraced(function* (
        route: Route,
        identity: Identity,
        request: IncomingMessage,
        forwarded: Pick<ForwardedRequest, "body" | "path">
      ) {
        yield* limit(route, identity)
        const headers = upstreamHeaders(request.headers, identity, yield* tokens.mint(identity))
        const span = yield* Effect.option(Effect.currentSpan)
        if (Option.isSome(span)) Object.assign(headers, HttpTraceContext.toHeaders(span.value))
        return yield* forwarder.forward(route.owner, { method: methodOf(request), headers, ...forwarded }).pipe(
          Effect.catchTags({
            BodyTooLarge: () => Effect.succeed(bodyTooLarge),
            ForwardFailed: ({ cause }) =>
              Effect.as(
                Effect.logWarning(`The ${route.owner} service did not answer: ${cause.message}`),
                answerError(route.endpoint, new Unavailable({ requestId: identity.requestId }))
              )
          })
        )
      })

      const streamed = (route: Route): Answer =>
        withRequest((request, requestId) =>
          identify(route.access, request, requestId).pipe(
            Effect.flatMap((identity) =>
              send(route, identity, request, { path: request.url ?? "/", body: bodyStream(request) })
            ),
            refuseBy(route.endpoint)
          )
        )

      const keyedByBody = (route: Route): Answer =>
        withBody((request, requestId, body) =>
          partner(headerKey(request) ?? keyOf(body), requestId).pipe(
            Effect.flatMap((identity) => send(route, identity, request, { path: request.url ?? "/", body })),
            refuseBy(route.endpoint)
          )
        )

      const shared = ({ actions, endpoint }: SharedPath): Answer =>
        withBody((request, requestId, body) => {
          const route = actions.get(actionOf(body) ?? "")
          return partner(headerKey(request), requestId).pipe(
            Effect.flatMap(
              (identity): Sent =>
                route === undefined
                  ? new ActionUnknown()
                  : send(route, identity, request, { path: actionPath(request, route), body })
            ),
            refuseBy(route?.endpoint ?? endpoint)
          )
        })

      return Entry.of({ plain: (route) => (route.hasKeyInBody ? keyedByBody(route) : streamed(route)), shared })
    })
  )
}

const methodOf = ({ method = "GET" }: IncomingMessage) => (isMethod(method) ? methods[method] : "GET")

const actionPath = ({ url = "/" }: IncomingMessage, { action }: Route): string => {
  const [path, query] = url.split("?", 2)
  return `${path}/${action}${query === undefined ? "" : `?${query}`}`
}

const withRequest = (
  answer: (request: IncomingMessage, requestId: string) => Effect.Effect<HttpServerResponse.HttpServerResponse>
): Answer =>
  Effect.flatMap(Effect.all([HttpServerRequest.HttpServerRequest, RequestId]), ([request, requestId]) => {
    const incoming = NodeHttpServerRequest.toIncomingMessage(request)
    if (!declaresTooLarge(incoming)) return answer(incoming, requestId)
    // Read and dropped, so that a caller who is still sending gets to see the answer.
    incoming.resume()
    return Effect.succeed(bodyTooLarge)
  })

const withBody = (
  answer: (
    request: IncomingMessage,
    requestId: string,
    body: Buffer
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse>
): Answer =>
  withRequest((request, requestId) =>
    Effect.matchEffect(readBody(request), {
      onFailure: () => Effect.succeed(bodyTooLarge),
      onSuccess: (body) => answer(request, requestId, body)
    })
  )

// Refusals are written as the endpoint's contract documents them, and so are defects of the gateway's own.
const refuseBy =
  (endpoint: HttpApiEndpoint.Top) =>
  <E>(answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E>) =>
    Effect.catchCause(answer, (cause) => {
      if (Cause.hasInterrupts(cause)) return Effect.interrupt
      return Cause.hasDies(cause)
        ? Effect.map(defectError(cause), (error) => answerError(endpoint, error))
        : Effect.succeed(answerError(endpoint, Cause.squash(cause)))
    })
