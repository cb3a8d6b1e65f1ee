import { Caller, LinkAccess, Operator, OperatorAccess, Partner, PartnerAccess, ServiceAccess } from "@care/domain"
import { Effect, Layer } from "effect"
import { CurrentIdentity, identityRejected } from "./layerIdentity.ts"

/** The checks of who may call which group: an identity of another kind than the group is for answers 401. */
export const layerAccess = Layer.mergeAll(
  Layer.succeed(PartnerAccess, (httpEffect) =>
    Effect.flatMap(CurrentIdentity, (identity) =>
      identity?._tag === "partner"
        ? Effect.provideService(httpEffect, Partner, identity)
        : Effect.succeed(identityRejected)
    )
  ),
  Layer.succeed(OperatorAccess, (httpEffect) =>
    Effect.flatMap(CurrentIdentity, (identity) =>
      identity?._tag === "operator"
        ? Effect.provideService(httpEffect, Operator, identity)
        : Effect.succeed(identityRejected)
    )
  ),
  Layer.succeed(LinkAccess, (httpEffect) =>
    Effect.flatMap(CurrentIdentity, (identity) =>
      identity?._tag === "link" ? httpEffect : Effect.succeed(identityRejected)
    )
  ),
  Layer.succeed(ServiceAccess, (httpEffect) =>
    Effect.flatMap(CurrentIdentity, (identity) =>
      identity?._tag === "service"
        ? Effect.provideService(httpEffect, Caller, identity)
        : Effect.succeed(identityRejected)
    )
  )
)
