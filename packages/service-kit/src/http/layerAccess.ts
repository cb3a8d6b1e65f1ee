import { type Caller, type CallerKind, callers, StandbyRead } from "@care/domain/http"
import { Context, Effect, Layer, type Schema } from "effect"
import { movedAnswer } from "../moves/OrganizationMoved.ts"
import { OrganizationMoves } from "../moves/OrganizationMoves.ts"
import { MayReadStandby } from "../sql/Lane.ts"
import { CurrentIdentity, identityRejected } from "./layerIdentity.ts"

const layerOf = <const Kind extends string, const Fields extends Schema.Struct.Fields>({
  Access,
  Current,
  is
}: Caller<Kind, Fields>) =>
  Layer.effect(
    Access,
    Effect.map(
      OrganizationMoves,
      ({ movedTo }) =>
        (httpEffect, { endpoint }) =>
          Effect.flatMap(CurrentIdentity, (identity) => {
            if (!is(identity)) return Effect.succeed(identityRejected)
            const called = Effect.provideService(httpEffect, Current, identity)
            const mayReadStandby = Context.get(endpoint.annotations, StandbyRead) !== undefined
            const answered = mayReadStandby ? Effect.provideService(called, MayReadStandby, true) : called
            return callers.partner.is(identity)
              ? Effect.flatMap(movedTo(identity.organizationId), (cell) =>
                  cell === undefined ? answered : Effect.succeed(movedAnswer(cell))
                )
              : answered
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
    layerOf(callers.pharmacy),
    layerOf(callers.stripe),
    layerOf(callers.scheduling),
    layerOf(callers.service)
  )
