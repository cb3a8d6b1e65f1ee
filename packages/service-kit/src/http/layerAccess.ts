import { type Caller, type CallerKind, callers } from "@care/domain/http"
import { type Context, Effect, Layer, type Schema } from "effect"
import { CurrentIdentity, identityRejected } from "./layerIdentity.ts"

const layerOf = <const Kind extends string, const Fields extends Schema.Struct.Fields>({
  Access,
  Current,
  is
}: Caller<Kind, Fields>) =>
  Layer.succeed(Access, (httpEffect) =>
    Effect.flatMap(CurrentIdentity, (identity) =>
      is(identity) ? Effect.provideService(httpEffect, Current, identity) : Effect.succeed(identityRejected)
    )
  )

/** Checks that the caller of a group is of the group's kind, and answers others with 401. */
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
