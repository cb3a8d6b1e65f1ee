import type { IncomingMessage } from "node:http"
import {
  ActionUnknown,
  type PublicCaller,
  QuotaReached,
  RequestInvalid,
  type Staff,
  type StoredKind
} from "@care/domain/http"
import {
  identityHeader,
  movedToHeader,
  originForm,
  PeerUnavailable,
  RequestId,
  requestIdHeader,
  scopeOf,
  traceHeaders,
  withEntityTag
} from "@care/service-kit"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Clock, Context, Effect, Layer, Result, Scope } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { type Cell, Cells } from "../cells/index.ts"
import { CellLists, type ForwardedRequest, Forwarder, RequestLog, upstreamHeaders } from "../forwarding/index.ts"
import { GatewaySettings } from "../GatewaySettings.ts"
import { InFlight, type LimitHolder, ReachedQuotas } from "../limits/index.ts"
import { Bodies, textMember } from "../receiving/index.ts"
import { Callers, headerKey, type KnownCaller } from "./Callers.ts"
import { challenging, challengingPatient } from "./challenges.ts"
import { isOfStaff, limitedName } from "./countsOf.ts"
import { makeCounted } from "./makeCounted.ts"
import { makeOwnTarget } from "./makeOwnTarget.ts"
import { OperatorCells } from "./OperatorCells.ts"
import { operatorTargetOf } from "./operatorTargets.ts"
import { refusalOfKey } from "./refusalOfKey.ts"
import { makeRefusals } from "./refusals.ts"
import type { PublicRoute, SharedPath } from "./routes.ts"
import {
  hasUnknownVersion,
  inCurrentVersion,
  inVersion,
  versioned,
  versionOf,
  versionUnknown
} from "./versions/index.ts"

export type Answer = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  never,
  HttpServerRequest.HttpServerRequest | Scope.Scope
>

const actionOf = (body: Buffer) => Effect.map(textMember(body, "action"), (action = "") => action)

// Enough for a body with an action from a caller whose key is refused.
const refusedBodyBytes = 16 * 1024

type Forwarded = Pick<ForwardedRequest, "body" | "path">

const isWhole = (body: ForwardedRequest["body"]): boolean => body === null || Buffer.isBuffer(body)

const withBody = { GET: false, POST: true, PUT: true, PATCH: true, DELETE: true } as const
const isMethod = (method: string): method is keyof typeof withBody => Object.hasOwn(withBody, method)

/** Handles a request: identifies its caller, applies the limits, and forwards it to its service. */
export class Entry extends Context.Service<
  Entry,
  {
    /** Answers a path that has one endpoint. */
    readonly plain: (route: PublicRoute) => Answer
    /** Answers a path that several endpoints share: the body's `action` selects one. */
    readonly shared: (path: SharedPath) => Answer
  }
>()("@care/gateway/routing/Entry") {
  static readonly layer = Layer.effect(
    Entry,
    Effect.gen(function* () {
      const bodies = yield* Bodies
      const clock = yield* Clock.Clock
      const callers = yield* Callers
      const cells = yield* Cells
      const lists = yield* CellLists
      const operatorCells = yield* OperatorCells
      const forwarder = yield* Forwarder
      const inFlight = yield* InFlight
      const quotas = yield* ReachedQuotas
      const ownTarget = yield* makeOwnTarget
      const requestLog = yield* RequestLog
      const counted = yield* makeCounted
      const refuseBy = makeRefusals((yield* GatewaySettings).limits)

      // Refusals are answered here, so that they are logged, too.
      const logged = <E, R>(
        caller: KnownCaller,
        request: IncomingMessage,
        since: number,
        endpointOf: () => HttpApiEndpoint.Top,
        answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
      ) =>
        requestLog.logged(
          () => {
            const { cell, identity } = caller
            return { cell, identity, method: methodOf(request), path: endpointOf().path, since }
          },
          Effect.suspend(() => {
            const answered = refuseBy(endpointOf())(answer)
            return caller.apiVersion === undefined ? answered : versioned(endpointOf(), request, answered, caller)
          })
        )

      // Every request counts under the rate limit, and its answer has the headers of the limit, also if `inFlight` refuses it.
      const admit = <E, R>(
        { addsTo, caller: kind, endpoint, owner, rateLimits, scope }: PublicRoute,
        caller: KnownCaller,
        request: IncomingMessage,
        answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
        holder: LimitHolder = caller
      ) => {
        const isOfPartner = kind === "partner"
        const refusal =
          isOfPartner && hasUnknownVersion(request)
            ? versionUnknown
            : (refusalOfKey(caller, scope) ?? refusalOf(request, quotas.find(limitedName(caller), addsTo)))
        const admitted =
          refusal === undefined
            ? Effect.andThen(inFlight.enter(owner, holder), answer).pipe(refuseBy(endpoint))
            : refuseBy(endpoint)(Effect.fail(refusal))
        const answered = counted(endpoint, rateLimits, caller, admitted)
        return isOfPartner
          ? Effect.flatMap(answered, (response) => inVersion(endpoint, versionOf(request, caller), response))
          : answered
      }

      const sendTo = Effect.fnUntraced(function* (
        cell: Cell,
        route: PublicRoute,
        { identity }: KnownCaller,
        request: IncomingMessage,
        forwarded: Forwarded
      ) {
        const headers = upstreamHeaders(request.headers, {
          identity,
          token: yield* cell.tokens.mint(identity),
          requestId: yield* RequestId,
          trace: yield* traceHeaders
        })
        const answer = yield* forwarder.forward(cell, route.owner, { method: methodOf(request), headers, ...forwarded })
        return challengingPatient(route.endpoint, request)(answer)
      })

      // With 421 a service did nothing, and names the cell of the organization. With another answer it did not know what a callback is about,
      // and names cells that may: all of them get it, until each has answered. A body that was streamed is gone: the caller sends it again.
      const send = Effect.fnUntraced(function* (
        route: PublicRoute,
        caller: KnownCaller,
        request: IncomingMessage,
        received: Forwarded
      ) {
        const { body } = received
        const forwarded =
          route.caller === "partner" && Buffer.isBuffer(body)
            ? { ...received, body: inCurrentVersion(route.endpoint, versionOf(request, caller), body) }
            : received
        const first = yield* sendTo(caller.cell, route, caller, request, forwarded)
        if (first.headers[movedToHeader] === undefined) return first
        const tried = new Set([caller.cell.name])
        const answers = [first]
        for (const { headers } of answers) {
          for (const name of headers[movedToHeader]?.split(",") ?? []) {
            if (tried.has(name)) continue
            tried.add(name)
            const cell = cells.find(name)
            if (cell === undefined || !isWhole(forwarded.body)) {
              return yield* Effect.die(new PeerUnavailable({ peer: `the cell ${name}` }))
            }
            answers.push(yield* sendTo(cell, route, caller, request, forwarded))
          }
        }
        // One that may have lost something is answered with its failure, so that the caller repeats it.
        const [best] = answers
          .filter(({ status }) => status !== 421)
          .toSorted((a, b) => Number(b.status >= 500) - Number(a.status >= 500) || a.status - b.status)
        return best === undefined
          ? yield* Effect.die(new PeerUnavailable({ peer: `the cell ${[...tried].join(" or ")}` }))
          : HttpServerResponse.removeHeader(best, movedToHeader)
      })

      const receiveAndSend = Effect.fnUntraced(function* (
        route: PublicRoute,
        caller: KnownCaller,
        request: IncomingMessage,
        path = targetAt(route, request)
      ) {
        const { maxBodyBytes: maxBytes, takesFiles } = route
        const body = !withBody[methodOf(request)]
          ? null
          : takesFiles
            ? yield* bodies.stream(request, { maxBytes })
            : yield* bodies.receive(request, { maxBytes, holder: caller })
        return yield* send(route, caller, request, { path, body })
      })

      // The body of an unknown caller is received before the request takes a slot at a service, so that slow senders
      // take none.
      const receiveUnverified = (request: IncomingMessage, maxBytes: number) => {
        const holder = callers.unknown(request)
        return Effect.flatMap(Effect.scope, (untilAnswered) =>
          inFlight
            .enter("receiving", holder)
            .pipe(
              Effect.andThen(
                Effect.provideService(bodies.receive(request, { maxBytes, holder }), Scope.Scope, untilAnswered)
              ),
              Effect.scoped
            )
        )
      }

      // A person of an organization is served by the cell of their session.
      const byStaff = (route: PublicRoute, caller: KnownCaller<Staff>, request: IncomingMessage) =>
        admit(
          route,
          caller,
          request,
          Effect.flatMap(ownTarget(route, caller, targetOf(request)), (target) =>
            receiveAndSend(route, caller, request, target)
          )
        )

      const byHeaders = (route: PublicRoute, request: IncomingMessage, since: number) =>
        Effect.flatMap(callers.identify(route.caller, request, route.permission), (caller) => {
          if (isOfStaff(caller)) return byStaff(route, caller, request)
          const admitted = admit(route, caller, request, receiveAndSend(route, caller, request))
          if (caller.isVerified) return logged(caller, request, since, () => route.endpoint, admitted)
          if (!withBody[methodOf(request)]) {
            return Effect.andThen(inFlight.enter("links", { ...callers.unknown(request), cell: caller.cell }), admitted)
          }
          return Effect.flatMap(receiveUnverified(request, route.maxBodyBytes), (body) =>
            admit(route, caller, request, send(route, caller, request, { path: targetAt(route, request), body }))
          )
        })

      // Only with several cells: one cell gets all requests as they are.
      const byOperator = Effect.fnUntraced(function* (route: PublicRoute, request: IncomingMessage) {
        const caller = yield* callers.identify("operator", request, route.permission)
        if (isOfStaff(caller) && scopeOf(caller.identity) !== undefined) return yield* byStaff(route, caller, request)
        const target = targetOf(request)
        const found = operatorTargetOf(route.endpoint, target)
        if (found?.by === "list") {
          const headersFor = Effect.fnUntraced(function* (cell: Cell) {
            const trace = yield* traceHeaders
            return {
              [identityHeader]: yield* cell.tokens.mint(caller.identity),
              [requestIdHeader]: yield* RequestId,
              ...trace
            }
          })
          const { isOldestFirst } = found
          // It takes no slot of one cell, all of which may be taken if that cell does not answer.
          const { isVerified, name } = caller
          return yield* admit(
            route,
            caller,
            request,
            Effect.map(lists.read({ service: route.owner, target, isOldestFirst, headersFor }), (answer) =>
              route.hasEntityTag ? withEntityTag(request.headers["if-none-match"], answer) : answer
            ),
            { isVerified, name }
          )
        }
        if (found === undefined || found.by === "firstCell" || found.by === "id") {
          const inCell = found?.by === "id" ? { ...caller, cell: yield* operatorCells.ofId(found) } : caller
          return yield* admit(route, inCell, request, receiveAndSend(route, inCell, request))
        }
        const body = yield* bodies.receive(request, { maxBytes: route.maxBodyBytes, holder: caller })
        const inCell = { ...caller, cell: yield* operatorCells.ofBody(found.by, body) }
        return yield* admit(route, inCell, request, send(route, inCell, request, { path: target, body }))
      })

      const byBody = Effect.fnUntraced(function* (route: PublicRoute, request: IncomingMessage, since: number) {
        const body = yield* receiveUnverified(request, route.maxBodyBytes)
        const caller = yield* callers.partner(yield* textMember(body, "key"), request)
        const sent = send(route, caller, request, { path: targetOf(request), body })
        return yield* logged(caller, request, since, () => route.endpoint, admit(route, caller, request, sent))
      })

      // A refused key is answered in the operation's form if a short body names it, else in the path's.
      const refusedOperation = ({ actions, endpoint }: SharedPath, request: IncomingMessage) =>
        receiveUnverified(request, refusedBodyBytes).pipe(
          Effect.flatMap(actionOf),
          Effect.match({
            onFailure: () => endpoint,
            onSuccess: (action) => actions.get(action)?.endpoint ?? endpoint
          })
        )

      const byAction = Effect.fnUntraced(function* (path: SharedPath, request: IncomingMessage, since: number) {
        const partner = yield* Effect.result(callers.partner(headerKey(request), request))
        if (Result.isFailure(partner)) {
          return yield* refuseBy(yield* refusedOperation(path, request))(Effect.fail(partner.failure))
        }
        const caller = partner.success
        let { endpoint } = path
        const answered = Effect.gen(function* () {
          yield* inFlight.enter("gateway", caller)
          const body = yield* bodies.receive(request, { maxBytes: path.maxBodyBytes, holder: caller })
          const route = path.actions.get(yield* actionOf(body))
          if (route === undefined) return yield* new ActionUnknown()
          endpoint = route.endpoint
          return yield* admit(
            route,
            caller,
            request,
            send(route, caller, request, { path: actionTarget(request, route), body })
          )
        })
        return yield* logged(caller, request, since, () => endpoint, answered)
      })

      return Entry.of({
        plain: (route) =>
          withRequest(route.caller, (request) => {
            const refuse = refuseBy(route.endpoint)
            if (route.caller === "operator" && cells.all.length > 1) return refuse(byOperator(route, request))
            const since = clock.currentTimeMillisUnsafe()
            const answer =
              route.hasKeyInBody && headerKey(request) === undefined
                ? refuse(byBody(route, request, since))
                : refuse(byHeaders(route, request, since))
            return route.caller === "partner" ? versioned(route.endpoint, request, answer) : answer
          }),
        shared: (path) =>
          withRequest("partner", (request) =>
            versioned(
              path.endpoint,
              request,
              refuseBy(path.endpoint)(byAction(path, request, clock.currentTimeMillisUnsafe()))
            )
          )
      })
    })
  )
}

const withRequest = <R>(
  caller: PublicCaller,
  answer: (request: IncomingMessage) => Effect.Effect<HttpServerResponse.HttpServerResponse, never, R>
) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (received) => {
    const request = NodeHttpServerRequest.toIncomingMessage(received)
    return Effect.map(answer(request), challenging(caller, request))
  })

const methodOf = ({ method = "GET" }: IncomingMessage) => (isMethod(method) ? method : "GET")

const idempotencyKeysRefused = new RequestInvalid({
  part: "headers",
  path: "idempotency-key",
  reason: "must be given once"
})

// Node joins repeated headers by commas, which a key may contain as well.
const hasIdempotencyKeys = (request: IncomingMessage): boolean =>
  request.method === "POST" &&
  String(request.headers["idempotency-key"] ?? "").includes(",") &&
  (request.headersDistinct["idempotency-key"]?.length ?? 0) > 1

// Returns why a request is refused before it is processed, or undefined.
const refusalOf = (request: IncomingMessage, reached: StoredKind | undefined) => {
  if (hasIdempotencyKeys(request)) return idempotencyKeysRefused
  return reached === undefined ? undefined : new QuotaReached({ kind: reached })
}

const targetOf = ({ url = "/" }: IncomingMessage): string => originForm(url)

// A service knows its callbacks without a cell.
const targetAt = ({ endpoint, isCallback }: PublicRoute, request: IncomingMessage): string => {
  const target = targetOf(request)
  if (!isCallback) return target
  const query = target.indexOf("?")
  return query === -1 ? endpoint.path : `${endpoint.path}${target.slice(query)}`
}

const actionTarget = (request: IncomingMessage, { action }: PublicRoute): string => {
  const target = targetOf(request)
  const query = target.indexOf("?")
  return query === -1 ? `${target}/${action}` : `${target.slice(0, query)}/${action}${target.slice(query)}`
}
