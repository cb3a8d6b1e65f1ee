import { Caller, type Identity, Operator, OperatorAccess, Partner, PartnerAccess, ServiceAccess } from "@care/domain"
import { Effect, Layer } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { IdentityTokens, identityHeader } from "../identity/IdentityTokens.ts"

const rejected = HttpServerResponse.jsonUnsafe({ status: 401, error: "Unauthorized" }, { status: 401 })

const identityOf = (tokens: IdentityTokens["Service"]) =>
  HttpServerRequest.HttpServerRequest.use((request) => tokens.verify(request.headers[identityHeader]))

const isKind =
  <Tag extends Identity["_tag"]>(tag: Tag) =>
  (identity: Identity | undefined): identity is Extract<Identity, { readonly _tag: Tag }> =>
    identity?._tag === tag

const isPartner = isKind("partner")
const isOperator = isKind("operator")
const isService = isKind("service")

/**
 * The checks of who an internal call is made for. A call without a valid token of the right kind answers 401, whoever
 * reaches the service's port.
 */
export const layerAccess = Layer.mergeAll(
  Layer.effect(
    PartnerAccess,
    Effect.map(
      IdentityTokens,
      (tokens) => (httpEffect) =>
        Effect.flatMap(identityOf(tokens), (identity) =>
          isPartner(identity) ? Effect.provideService(httpEffect, Partner, identity) : Effect.succeed(rejected)
        )
    )
  ),
  Layer.effect(
    OperatorAccess,
    Effect.map(
      IdentityTokens,
      (tokens) => (httpEffect) =>
        Effect.flatMap(identityOf(tokens), (identity) =>
          isOperator(identity) ? Effect.provideService(httpEffect, Operator, identity) : Effect.succeed(rejected)
        )
    )
  ),
  Layer.effect(
    ServiceAccess,
    Effect.map(
      IdentityTokens,
      (tokens) => (httpEffect) =>
        Effect.flatMap(identityOf(tokens), (identity) =>
          isService(identity) ? Effect.provideService(httpEffect, Caller, identity) : Effect.succeed(rejected)
        )
    )
  )
)
