import { type Caller, type CallerKind, callers, careClockHeader, type Identity, StandbyRead } from "@care/domain/http"
import type { OrganizationId } from "@care/domain/ids"
import { Clock, Context, Effect, Layer, Option, type Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { scopeOf } from "../identity/organizationScope.ts"
import { movedAnswer } from "../moves/OrganizationMoved.ts"
import { OrganizationMoves } from "../moves/OrganizationMoves.ts"
import { MayReadStandby } from "../sql/Lane.ts"
import { TestClocks } from "../time/TestClocks.ts"
import { TestOrganization } from "../time/Time.ts"
import { answerError } from "./layerDocumentedErrors.ts"
import { CurrentIdentity, identityRejected } from "./layerIdentity.ts"
import { refusalOfStaff } from "./refusalOfStaff.ts"

// What was answered while the organization moved away may come from hidden rows. A change was made, or refused.
const inItsCell = <E, R>(
  { isMoving, movedTo }: OrganizationMoves,
  organizationId: OrganizationId,
  answered: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
) => {
  const unlessMoved = <E, R>(answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.flatMap(movedTo(organizationId), (cell) => (cell === undefined ? answer : Effect.succeed(movedAnswer(cell))))
  const checked = Effect.gen(function* () {
    const answer = yield* answered
    const { method } = yield* HttpServerRequest.HttpServerRequest
    return yield* answer.status < 400 && method !== "GET" ? Effect.succeed(answer) : unlessMoved(Effect.succeed(answer))
  })
  return Effect.flatMap(isMoving(organizationId), (isIt) => (isIt ? unlessMoved(checked) : answered))
}

const testOrganizationOf = (identity: Identity): OrganizationId | undefined => {
  if (callers.service.is(identity)) return identity.testOrganizationId
  return (callers.partner.is(identity) || callers.staff.is(identity)) && identity.isTest === true
    ? identity.organizationId
    : undefined
}

// The clock may have moved while the request was answered.
const inTestTime = <E, R>(
  { of }: TestClocks,
  organizationId: OrganizationId,
  identity: Identity,
  answered: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
) =>
  Effect.gen(function* () {
    const found = yield* of(organizationId)
    // A service that calls began its work before.
    const resets = (callers.service.is(identity) ? identity.testResets : undefined) ?? found.resets
    const answer = yield* Effect.provideService(answered, TestOrganization, { ...found, resets })
    const now = (yield* Clock.currentTimeMillis) + (yield* of(organizationId)).aheadMillis
    return HttpServerResponse.setHeader(answer, careClockHeader, new Date(now).toISOString())
  })

// Operators work for organizations of both modes, without saying which.
const atTimeOfThing = <E, R>(
  { sandboxOf }: TestClocks,
  answered: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
) =>
  Effect.flatMap(Effect.flatMap(HttpRouter.params, sandboxOf), (sandbox) =>
    Option.isNone(sandbox) ? answered : Effect.provideService(answered, TestOrganization, sandbox.value)
  )

// The parameters of the path and the query of the current request.
const partsOfRequest = Effect.map(
  Effect.all([HttpRouter.params, HttpServerRequest.HttpServerRequest]),
  ([params, { url }]) => ({ params, query: new URLSearchParams(url.split("?", 2)[1]) })
)

const layerOf = <
  const Kind extends string,
  const Fields extends Schema.Struct.Fields,
  Other extends { readonly _tag: string }
>({
  Access,
  Current,
  isAccepted
}: Caller<Kind, Fields, Other>) =>
  Layer.effect(
    Access,
    Effect.map(
      Effect.all([OrganizationMoves, TestClocks]),
      ([moves, clocks]) =>
        (httpEffect, { endpoint, group }) =>
          Effect.flatMap(CurrentIdentity, (identity) => {
            if (identity === undefined || !isAccepted(identity)) return Effect.succeed(identityRejected)
            const called = Effect.provideService(httpEffect, Current, identity)
            const mayReadStandby = Context.get(endpoint.annotations, StandbyRead) !== undefined
            const answered = mayReadStandby ? Effect.provideService(called, MayReadStandby, true) : called
            const organizationId = callers.partner.is(identity) ? identity.organizationId : scopeOf(identity)
            const here = organizationId === undefined ? answered : inItsCell(moves, organizationId, answered)
            const testOrganizationId = testOrganizationOf(identity)
            const isOfAny =
              callers.operator.is(identity) || (callers.staff.is(identity) && identity.role === "OPERATOR")
            const there = isOfAny ? atTimeOfThing(clocks, here) : here
            const answer =
              testOrganizationId === undefined ? there : inTestTime(clocks, testOrganizationId, identity, there)
            if (!callers.staff.is(identity)) return answer
            return Effect.flatMap(partsOfRequest, (parts) => {
              const refusal = refusalOfStaff(identity, { endpoint, group, ...parts })
              return refusal === undefined ? answer : Effect.succeed(answerError(endpoint, refusal))
            })
          })
    )
  )

/**
 * Checks that the caller of a group is of the group's kind, and answers others with 401. Staff are refused what their role or their
 * organization does not allow, as the gateway has refused it before. What a partner or staff of another cell sent is answered with that
 * cell. Reads of some endpoints may come from a standby. What is done for a sandbox organization has the time of its clock, which the answer
 * tells, unless to operators.
 */
export const layerAccess: Layer.Layer<Context.Service.Identifier<(typeof callers)[CallerKind]["Access"]>> =
  Layer.mergeAll(
    layerOf(callers.partner),
    layerOf(callers.link),
    layerOf(callers.operator),
    layerOf(callers.session),
    layerOf(callers.staff),
    layerOf(callers.pharmacy),
    layerOf(callers.stripe),
    layerOf(callers.scheduling),
    layerOf(callers.service)
  )
