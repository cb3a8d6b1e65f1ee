import { Audit } from "@care/audit"
import {
  type CodeMismatch,
  type CodeUnavailable,
  type CodeUsed,
  CredentialsInvalid,
  type PatientIdentifier,
  type SignedIn
} from "@care/domain/auth"
import type { OrganizationId } from "@care/domain/ids"
import { inTransaction } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { CodeRequests } from "../codes/CodeRequests.ts"
import { OneTimeCodes } from "../codes/OneTimeCodes.ts"
import { AccessTokens, accessTokenSeconds } from "./AccessTokens.ts"
import { type IssuedToken, type RefreshRefusal, RefreshTokens } from "./RefreshTokens.ts"
import type { RotatedToken } from "./RefreshTokensRepo.ts"

const identifierOf = ({ email, phoneNumber }: PatientIdentifier): string => email ?? phoneNumber ?? ""

/** How patients sign in, stay signed in and sign out. */
export class SignIn extends Context.Service<
  SignIn,
  {
    /** Has a code sent to the patient with this identifier, if there is one. */
    readonly sendCode: (organizationId: OrganizationId, identifier: PatientIdentifier) => Effect.Effect<void>
    readonly verifyCode: (
      organizationId: OrganizationId,
      identifier: PatientIdentifier,
      code: string
    ) => Effect.Effect<SignedIn, CredentialsInvalid | CodeUnavailable | CodeMismatch | CodeUsed>
    readonly refresh: (organizationId: OrganizationId, token: string) => Effect.Effect<SignedIn, RefreshRefusal>
    readonly signOut: (organizationId: OrganizationId, token: string) => Effect.Effect<void>
  }
>()("@care/auth/sessions/SignIn") {
  static readonly layer = Layer.effect(
    SignIn,
    Effect.gen(function* () {
      const audit = yield* Audit
      const codes = yield* OneTimeCodes
      const requests = yield* CodeRequests
      const accessTokens = yield* AccessTokens
      const refreshTokens = yield* RefreshTokens
      const sql = yield* SqlClient.SqlClient

      const signedIn = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        { role, userId }: Pick<RotatedToken, "role" | "userId">,
        { expiresAt, sessionId, token }: IssuedToken
      ) {
        const answer: SignedIn = {
          accessToken: yield* accessTokens.mint({
            sessionId,
            userId,
            organizationId,
            type: "patient-portal",
            role,
            // A person belongs to one organization, so both claims say the same.
            organizationAccessRole: role
          }),
          expiresIn: accessTokenSeconds,
          refreshToken: token,
          refreshTokenExpiresAt: expiresAt,
          patientId: userId
        }
        return answer
      })

      return SignIn.of({
        sendCode: (organizationId, identifier) => requests.ask(organizationId, identifierOf(identifier)),
        verifyCode: Effect.fn("SignIn.verifyCode")(function* (organizationId, identifier, digits) {
          const code = yield* codes.check(organizationId, identifierOf(identifier), digits)
          const { identifiers, userId } = code.receiver
          // Locks the patient before the code, as an erasure does.
          const start = Effect.gen(function* () {
            const started = yield* refreshTokens.start(organizationId, userId)
            yield* codes.use(organizationId, code)
            yield* requests.forget(organizationId, identifiers)
            yield* audit.changed({ organizationId, action: "SIGNED_IN", userId })
            return started
          })
          const issued = yield* Effect.catchTag(
            inTransaction(sql)(start),
            "SignedInUserGone",
            () => new CredentialsInvalid()
          )
          return yield* signedIn(organizationId, code.receiver, issued)
        }),
        refresh: Effect.fn("SignIn.refresh")(function* (organizationId, token) {
          const rotated = yield* refreshTokens.rotate(organizationId, token)
          return yield* signedIn(organizationId, rotated, rotated)
        }),
        signOut: refreshTokens.revoke
      })
    })
  ).pipe(Layer.provide([CodeRequests.layer, OneTimeCodes.layer, RefreshTokens.layer]))
}
