import { type Caller, type CallerKind, callers, StandbyRead } from "@care/domain/http"
import type { OrganizationId } from "@care/domain/ids"
import { Context, Effect, Layer, type Schema } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { movedAnswer } from "../moves/OrganizationMoved.ts"
import { OrganizationMoves } from "../moves/OrganizationMoves.ts"
import { MayReadStandby } from "../sql/Lane.ts"
import { CurrentIdentity, identityRejected } from "./layerIdentity.ts"

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

const layerOf = <const Kind extends string, const Fields extends Schema.Struct.Fields>({
  Access,
  Current,
  is
}: Caller<Kind, Fields>) =>
  Layer.effect(
    Access,
    Effect.map(
      OrganizationMoves,
      (moves) =>
        (httpEffect, { endpoint }) =>
          Effect.flatMap(CurrentIdentity, (identity) => {
            if (!is(identity)) return Effect.succeed(identityRejected)
            const called = Effect.provideService(httpEffect, Current, identity)
            const mayReadStandby = Context.get(endpoint.annotations, StandbyRead) !== undefined
            const answered = mayReadStandby ? Effect.provideService(called, MayReadStandby, true) : called
            return callers.partner.is(identity) ? inItsCell(moves, identity.organizationId, answered) : answered
          })
    )
  )

/**
 * Checks that the caller of a group is of the group's kind, and answers others with 401. What a partner of another cell sent is answered
 * with that cell. Reads of some endpoints may come from a standby.
 */
export const layerAccess: Layer.Layer<Context.Service.Identifier<(typeof callers)[CallerKind]["Access"]>> =
  Layer.mergeAll(
    layerOf(callers.partner),
    layerOf(callers.link),
    layerOf(callers.operator),
    layerOf(callers.session),
    layerOf(callers.pharmacy),
    layerOf(callers.stripe),
    layerOf(callers.scheduling),
    layerOf(callers.service)
  )
