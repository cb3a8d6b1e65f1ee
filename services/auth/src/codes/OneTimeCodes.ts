import { randomInt, randomUUID, timingSafeEqual } from "node:crypto"
import {
  CodeMismatch,
  CodeUnavailable,
  CodeUsed,
  CredentialsInvalid,
  OrganizationId,
  type SignInIdentifier,
  type UserId
} from "@care/domain"
import { jwtSecrets } from "@care/service-kit"
import { Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { AuthSettings } from "../AuthSettings.ts"
import { makeCodeSecrets } from "./makeCodeSecrets.ts"
import { type CodePatient, nobodies, OneTimeCodesRepo } from "./OneTimeCodesRepo.ts"

/** A patient, or nobody, asked for a code. */
export const CodeRequest = Schema.Struct({
  organizationId: OrganizationId,
  identifier: Schema.String,
  requestedAt: Schema.Date
})
export type CodeRequest = typeof CodeRequest.Type

/** A code that its receiver may be told. */
export interface IssuedCode {
  readonly code: string
  readonly organizationName: string
  readonly lifetime: Duration.Duration
}

/** A code that was checked and is right. */
export interface RightCode {
  readonly id: string
  readonly patient: CodePatient
}

/** The one-time codes by which patients sign in: six digits, bound to an organization and an identifier. */
export class OneTimeCodes extends Context.Service<
  OneTimeCodes,
  {
    /** The code of a request, made once for its `id`. None when nobody is to get one: no such patient, or too soon. */
    readonly issue: (id: string, request: CodeRequest) => Effect.Effect<Option.Option<IssuedCode>>
    /** Checks a code; a wrong one counts as an attempt. Takes the same work whether or not the patient exists. */
    readonly check: (
      organizationId: OrganizationId,
      identifier: SignInIdentifier,
      code: string
    ) => Effect.Effect<RightCode, CredentialsInvalid | CodeUnavailable | CodeMismatch>
    /** Uses a code up: one of many callers succeeds. */
    readonly use: (organizationId: OrganizationId, code: RightCode) => Effect.Effect<void, CodeUsed>
    readonly removeAll: (organizationId: OrganizationId, userId: UserId) => Effect.Effect<void>
  }
>()("@care/auth/codes/OneTimeCodes") {
  static readonly layer = Layer.effect(
    OneTimeCodes,
    Effect.gen(function* () {
      const repo = yield* OneTimeCodesRepo
      const { codeLifetime, codeMaxAttempts, codeResendInterval } = yield* AuthSettings
      const { codeOf, hashOf } = makeCodeSecrets((yield* jwtSecrets).current)
      const noCode = { id: randomUUID(), codeHash: hashOf("", "") }

      const issue = Effect.fn("OneTimeCodes.issue")(function* (id: string, request: CodeRequest) {
        const { identifier, organizationId, requestedAt } = request
        const now = yield* DateTime.nowAsDate
        const expiresAt = new Date(requestedAt.getTime() + Duration.toMillis(codeLifetime))
        if (expiresAt <= now) return Option.none()
        const { isKnown, organizationName, userId } = yield* repo.findPatient(organizationId, identifier, 0)
        if (!isKnown) return Option.none()
        const code = codeOf(id)
        const isIssued = yield* repo.issue(
          {
            id,
            organizationId,
            userId,
            identifier,
            codeHash: hashOf(id, code),
            maxAttempts: codeMaxAttempts,
            requestedAt,
            expiresAt
          },
          new Date(requestedAt.getTime() - Duration.toMillis(codeResendInterval)),
          now
        )
        return isIssued ? Option.some({ code, organizationName, lifetime: codeLifetime }) : Option.none()
      })

      const check = Effect.fn("OneTimeCodes.check")(function* (
        organizationId: OrganizationId,
        { email, phoneNumber }: SignInIdentifier,
        code: string
      ) {
        const identifier = email ?? phoneNumber ?? ""
        const now = yield* DateTime.nowAsDate
        const patient = yield* repo.findPatient(organizationId, identifier, randomInt(nobodies))
        const claimed = yield* repo.claimAttempt(patient, identifier, now)
        const { codeHash, id } = Option.getOrElse(claimed, () => noCode)
        const isRight = timingSafeEqual(Buffer.from(hashOf(id, code), "hex"), Buffer.from(codeHash, "hex"))
        if (!patient.isKnown) return yield* new CredentialsInvalid()
        if (Option.isNone(claimed)) return yield* new CodeUnavailable()
        if (!isRight) return yield* new CodeMismatch()
        return { id, patient }
      })

      return OneTimeCodes.of({
        issue,
        check,
        use: Effect.fn("OneTimeCodes.use")(function* (organizationId, { id, patient }) {
          const isFirst = yield* repo.markUsed(id, organizationId, patient.userId, yield* DateTime.nowAsDate)
          if (!isFirst) return yield* new CodeUsed()
        }),
        removeAll: repo.removeAll
      })
    })
  ).pipe(Layer.provide(OneTimeCodesRepo.layer))
}
