import { AccessTokenRejected, Partner, PatientAccess, SignedInPatient } from "@care/domain/http"
import { answerError, CurrentPatient } from "@care/service-kit"
import { Effect, Layer, Redacted } from "effect"
import { AccessTokens } from "../signIn/index.ts"

/** Checks access tokens for endpoints of patients. */
export const layerPatientAccess = Layer.effect(
  PatientAccess,
  Effect.map(AccessTokens, (tokens) =>
    PatientAccess.of({
      accessToken: (httpEffect, { credential, endpoint }) =>
        Effect.gen(function* () {
          const { organizationId } = yield* Partner
          const claims = yield* tokens.verify(Redacted.value(credential))
          return claims.organizationId === organizationId ? claims : yield* new AccessTokenRejected()
        }).pipe(
          Effect.matchEffect({
            onFailure: (error) => Effect.succeed(answerError(endpoint, error)),
            onSuccess: (claims) =>
              httpEffect.pipe(
                Effect.provideService(SignedInPatient, claims),
                Effect.provideService(CurrentPatient, claims.userId)
              )
          })
        )
    })
  )
)
