import { randomBytes } from "node:crypto"
import { DomainWithoutSignOn, type ProviderUnusable, type SignOnFailure, SignOnsFull } from "@care/domain/auth"
import { Email, emailDomainOf } from "@care/domain/http"
import { cellSetting, inTransaction, keyHash, makeSignOnState, readSettings } from "@care/service-kit"
import { Context, Data, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { AuthSettings } from "../../AuthSettings.ts"
import { makeMembersRepo } from "../../people/index.ts"
import { consoleOf } from "../consoleOf.ts"
import { type IssuedSession, StaffSessions } from "../sessions/StaffSessions.ts"
import { OpenIdProviders } from "./OpenIdProviders.ts"
import { makeSingleSignOnRepo } from "./SingleSignOnRepo.ts"

/** How long a sign-in at a provider may take. */
export const signOnLifetime = Duration.minutes(10)

// More than an address may begin in that time.
const maxInProgress = 10_000

/** A single sign-on did not sign anybody in. */
export class SignOnFailed extends Data.TaggedError("SignOnFailed")<{
  readonly why: SignOnFailure
  /** The page of the console that was wanted, if it is known. */
  readonly next: string | null
}> {}

/** What the provider sent the browser back with. */
type Answer = Readonly<Partial<Record<"state" | "code" | "iss" | "error", string>>>

const makeSecret = () => randomBytes(32).toString("base64url")

const decodeEmail = Schema.decodeUnknownOption(Email)

/** Sign-ins of staff at the OpenID provider of their organization (authorization code flow with PKCE). */
export class SignOns extends Context.Service<
  SignOns,
  {
    /** Begins a sign-in, which leads to a page of the console. `browser` is a secret that only the browser gets, so that nobody finishes a sign-in in the browser of another. */
    readonly start: (
      email: string,
      next?: string
    ) => Effect.Effect<
      { readonly browser: string; readonly redirectTo: string },
      DomainWithoutSignOn | ProviderUnusable | SignOnsFull
    >
    /** Starts a session of the member whom the provider names, and returns it with the page to show. Only one of parallel callers succeeds. */
    readonly finish: (
      answer: Answer,
      browser: string | undefined
    ) => Effect.Effect<{ readonly issued: IssuedSession; readonly next: string | null }, SignOnFailed>
  }
>()("@care/auth/staff/SignOns") {
  static readonly layer = Layer.effect(
    SignOns,
    Effect.gen(function* () {
      const cell = yield* readSettings(cellSetting)
      const members = yield* makeMembersRepo
      const providers = yield* OpenIdProviders
      const repo = yield* makeSingleSignOnRepo
      const sessions = yield* StaffSessions
      const sql = yield* SqlClient.SqlClient
      const { redirectUri } = consoleOf((yield* AuthSettings).publicUrl)

      return SignOns.of({
        start: Effect.fn("SignOns.start")(function* (email, next) {
          const owner = yield* repo.findOwner(emailDomainOf(email))
          const { organizationId } = yield* Effect.fromOption(owner, () => new DomainWithoutSignOn())
          const client = yield* Effect.fromOption(yield* repo.find(organizationId), () => new DomainWithoutSignOn())
          const secrets = { state: makeSignOnState(cell), nonce: makeSecret(), codeVerifier: makeSecret() }
          const redirectTo = yield* providers.authorizationUrl(client, { ...secrets, redirectUri })
          const browser = makeSecret()
          const now = yield* DateTime.nowAsDate
          const isBegun = yield* repo.begin(
            {
              forOrganizationId: organizationId,
              stateHash: keyHash(secrets.state),
              browserHash: keyHash(browser),
              nonce: secrets.nonce,
              codeVerifier: secrets.codeVerifier,
              next: next ?? null,
              expiresAt: new Date(now.getTime() + Duration.toMillis(signOnLifetime))
            },
            now,
            maxInProgress
          )
          return isBegun ? { browser, redirectTo } : yield* new SignOnsFull()
        }),
        finish: Effect.fn("SignOns.finish")(function* (answer, browser) {
          const { state } = answer
          const unknown = new SignOnFailed({ why: "expired", next: null })
          if (state === undefined || browser === undefined) return yield* unknown
          const taken = yield* repo.take(keyHash(state), keyHash(browser))
          const {
            expiresAt,
            forOrganizationId: organizationId,
            next,
            ...secrets
          } = yield* Effect.fromOption(taken, () => unknown)
          const failed = (why: SignOnFailure) => new SignOnFailed({ why, next })
          if (expiresAt <= (yield* DateTime.nowAsDate)) return yield* failed("expired")
          const client = yield* Effect.fromOption(yield* repo.find(organizationId), () => failed("expired"))
          const claims = yield* Effect.mapError(
            providers.claims(client, { ...secrets, state, redirectUri }, new URLSearchParams({ ...answer })),
            () => failed("provider")
          )
          const domains = yield* repo.domains(organizationId)
          const verified = Option.filter(
            decodeEmail(claims.email),
            (email) => claims.email_verified === true && domains.includes(emailDomainOf(email))
          )
          const email = yield* Effect.fromOption(verified, () => failed("email"))
          const found = yield* members.findActive(organizationId, email)
          const { id: userId } = yield* Effect.fromOption(found, () => failed("member"))
          const issued = yield* sessions
            .start({ organizationId, userId, kind: "BROWSER", state: "ACTIVE", steppedUpAt: null })
            .pipe(
              inTransaction(sql),
              Effect.catchTag("SessionUnknown", () => failed("member"))
            )
          return { issued, next }
        })
      })
    })
  )
}
