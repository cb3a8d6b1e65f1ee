import { ProviderUnusable } from "@care/domain/auth"
import { Egress, outsideTransaction, ServiceConfig } from "@care/service-kit"
import { Cache, Context, Duration, Effect, Exit, Layer, Predicate, Schema } from "effect"
import * as OpenId from "openid-client"
import type { SingleSignOnRow } from "./SingleSignOnRepo.ts"

/** A client of a provider. */
export type OpenIdClient = Pick<SingleSignOnRow, "organizationId" | "issuer" | "clientId" | "clientSecret">

/** The secrets of a sign-in, and where the provider sends the browser. */
interface SignOnSecrets {
  readonly redirectUri: string
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
}

// What providers say of a person. Other claims are not read.
const Claims = Schema.Struct({
  email: Schema.optionalKey(Schema.String),
  email_verified: Schema.optionalKey(Schema.Unknown)
})
type Claims = typeof Claims.Type

const requestSeconds = 5
const answerMillis = 12_000
const discoveredFor = Duration.minutes(10)

// The name of what failed. A message may quote the answer.
const reasonOf = (error: unknown): string =>
  Predicate.hasProperty(error, "code") && typeof error.code === "string" ? error.code : "UNKNOWN"

// The method that the provider names; without one it is the basic one (OpenID Connect Discovery).
const authenticateBy = (secret: string): OpenId.ClientAuth => {
  const basic = OpenId.ClientSecretBasic(secret)
  const post = OpenId.ClientSecretPost(secret)
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"]
    const authenticate = methods.includes("client_secret_basic") ? basic : post
    authenticate(server, client, body, headers)
  }
}

/** The OpenID providers of organizations, called through `Egress`. Their keys and discovery documents are cached for ten minutes. */
export class OpenIdProviders extends Context.Service<
  OpenIdProviders,
  {
    /** Reads the discovery document. All failures take the full time, so that nobody scans ports by them. */
    readonly check: (client: OpenIdClient) => Effect.Effect<void, ProviderUnusable>
    /** Returns the URL at which a person signs in. */
    readonly authorizationUrl: (client: OpenIdClient, secrets: SignOnSecrets) => Effect.Effect<string, ProviderUnusable>
    /** Exchanges the code in the provider's answer, whose parameters are given, and returns what the provider says of the person. */
    readonly claims: (
      client: OpenIdClient,
      secrets: SignOnSecrets,
      answer: URLSearchParams
    ) => Effect.Effect<Claims, ProviderUnusable>
  }
>()("@care/auth/staff/OpenIdProviders") {
  static readonly layer = Layer.effect(
    OpenIdProviders,
    Effect.gen(function* () {
      const egress = yield* Egress
      const { isProduction } = yield* ServiceConfig
      const requireNoTransaction = yield* outsideTransaction("An OpenID provider was called")

      const call = <A>(organizationId: string, ask: () => Promise<A>) =>
        Effect.andThen(requireNoTransaction, Effect.tryPromise({ try: ask, catch: reasonOf })).pipe(
          Effect.timeoutOrElse({ duration: answerMillis, orElse: () => Effect.fail("TIMEOUT") }),
          Effect.catch((reason) =>
            Effect.logWarning("The call of an OpenID provider failed").pipe(
              Effect.annotateLogs({ organizationId, reason }),
              Effect.andThen(new ProviderUnusable())
            )
          )
        )

      const discover = Effect.fnUntraced(function* ({ clientId, clientSecret, issuer, organizationId }: OpenIdClient) {
        const provider = yield* call(organizationId, () =>
          OpenId.discovery(
            new URL(issuer),
            clientId,
            undefined,
            clientSecret === null ? OpenId.None() : authenticateBy(clientSecret),
            {
              [OpenId.customFetch]: egress.fetch,
              timeout: requestSeconds,
              // The signature of an ID token is checked, too, though it comes from the provider itself.
              execute: [OpenId.enableNonRepudiationChecks, ...(isProduction ? [] : [OpenId.allowInsecureRequests])]
            }
          )
        )
        const { authorization_endpoint: authorizationEndpoint = "", issuer: named } = provider.serverMetadata()
        // The library accepts the template of an issuer with many tenants, in which anybody has an account.
        if (new URL(named).href !== new URL(issuer).href) return yield* new ProviderUnusable()
        yield* Effect.mapError(egress.check(authorizationEndpoint), () => new ProviderUnusable())
        return provider
      })

      const discovered = yield* Cache.makeWith(discover, {
        capacity: 1000,
        timeToLive: (exit) => (Exit.isSuccess(exit) ? discoveredFor : Duration.zero)
      })

      return OpenIdProviders.of({
        check: Effect.fn("OpenIdProviders.check")(function* (client) {
          yield* discover(client).pipe(
            Effect.catchTag("ProviderUnusable", () => Effect.never),
            Effect.timeoutOrElse({ duration: Duration.seconds(requestSeconds), orElse: () => new ProviderUnusable() })
          )
        }),
        authorizationUrl: Effect.fn("OpenIdProviders.authorizationUrl")(function* (client, secrets) {
          const provider = yield* Cache.get(discovered, client)
          const { codeVerifier, nonce, redirectUri, state } = secrets
          const challenge = yield* Effect.promise(() => OpenId.calculatePKCECodeChallenge(codeVerifier))
          return OpenId.buildAuthorizationUrl(provider, {
            redirect_uri: redirectUri,
            scope: "openid email",
            state,
            nonce,
            code_challenge: challenge,
            code_challenge_method: "S256"
          }).href
        }),
        claims: Effect.fn("OpenIdProviders.claims")(function* (client, secrets, answer) {
          const provider = yield* Cache.get(discovered, client)
          const { codeVerifier: pkceCodeVerifier, nonce: expectedNonce, redirectUri, state: expectedState } = secrets
          const found = yield* call(client.organizationId, async (): Promise<unknown> => {
            const tokens = await OpenId.authorizationCodeGrant(provider, new URL(`${redirectUri}?${answer}`), {
              pkceCodeVerifier,
              expectedState,
              expectedNonce,
              idTokenExpected: true
            })
            const claims = tokens.claims()
            if (claims === undefined || claims["email"] !== undefined) return claims
            return OpenId.fetchUserInfo(provider, tokens.access_token, claims.sub)
          })
          return yield* Effect.mapError(Schema.decodeUnknownEffect(Claims)(found), () => new ProviderUnusable())
        })
      })
    })
  )
}
