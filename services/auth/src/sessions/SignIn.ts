import {
  type CodeMismatch,
  type CodeUnavailable,
  type CodeUsed,
  type CredentialsInvalid,
  type OrganizationId,
  SignedIn,
  type SignInIdentifier
} from "@care/domain"
import { AccessTokens, accessTokenSeconds } from "@care/service-kit"
import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { CodeSending } from "../codes/CodeSending.ts"
import { OneTimeCodes } from "../codes/OneTimeCodes.ts"
import { type IssuedToken, type RefreshRefusal, RefreshTokens } from "./RefreshTokens.ts"
import type { RotatedToken } from "./RefreshTokensRepo.ts"

/** How patients sign in, stay signed in and sign out. */
export class SignIn extends Context.Service<
  SignIn,
  {
    /** Sees to it that the patient gets a code, if there is one with this identifier. */
    readonly sendCode: (organizationId: OrganizationId, identifier: SignInIdentifier) => Effect.Effect<void>
    readonly verifyCode: (
      organizationId: OrganizationId,
      identifier: SignInIdentifier,
      code: string
    ) => Effect.Effect<SignedIn, CredentialsInvalid | CodeUnavailable | CodeMismatch | CodeUsed>
    readonly refresh: (organizationId: OrganizationId, token: string) => Effect.Effect<SignedIn, RefreshRefusal>
    readonly signOut: (organizationId: OrganizationId, token: string) => Effect.Effect<void>
  }
>()("@care/auth/sessions/SignIn") {
  static readonly layer = Layer.effect(
    SignIn,
    Effect.gen(function* () {
      const codes = yield* OneTimeCodes
      const sending = yield* CodeSending
      const accessTokens = yield* AccessTokens
      const refreshTokens = yield* RefreshTokens
      const sql = yield* SqlClient.SqlClient

      const signedIn = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        { role, userId }: Pick<RotatedToken, "role" | "userId">,
        { expiresAt, sessionId, token }: IssuedToken
      ) {
        return new SignedIn({
          status: 200,
          success: true,
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
        })
      })

      return SignIn.of({
        sendCode: Effect.fn("SignIn.sendCode")(function* (organizationId, { email, phoneNumber }) {
          const identifier = email ?? phoneNumber ?? ""
          yield* sending
            .offer({ organizationId, identifier, requestedAt: yield* DateTime.nowAsDate })
            .pipe(Effect.orDie)
        }),
        verifyCode: Effect.fn("SignIn.verifyCode")(function* (organizationId, identifier, given) {
          const code = yield* codes.check(organizationId, identifier, given)
          const { userId } = code.patient
          const issued = yield* sql
            .withTransaction(
              Effect.andThen(codes.use(organizationId, code), refreshTokens.start(organizationId, userId))
            )
            .pipe(Effect.catchTag("SqlError", Effect.die))
          // Best effort: a code that stays is used all the same, and is removed later.
          yield* Effect.ignoreCause(codes.removeAll(organizationId, userId))
          return yield* signedIn(organizationId, code.patient, issued)
        }),
        refresh: Effect.fn("SignIn.refresh")(function* (organizationId, token) {
          const rotated = yield* refreshTokens.rotate(organizationId, token)
          return yield* signedIn(organizationId, rotated, rotated)
        }),
        signOut: refreshTokens.revoke
      })
    })
  )
}
