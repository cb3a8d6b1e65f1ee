import { SessionUnknown, SignedInStaff, StaffAccess } from "@care/domain/auth"
import { CrossSiteRefused } from "@care/domain/http"
import { answerError } from "@care/service-kit"
import { Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { StaffCookies } from "./StaffCookies.ts"
import { StaffSessions } from "./StaffSessions.ts"

/** Checks the session of a request, for endpoints that need one. */
export const layerStaffAccess = Layer.effect(
  StaffAccess,
  Effect.gen(function* () {
    const cookies = yield* StaffCookies
    const sessions = yield* StaffSessions
    const admit = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const { isCrossSite, isUnattended, token } = cookies.presented(request)
      if (isCrossSite) return yield* new CrossSiteRefused()
      return token === undefined ? yield* new SessionUnknown() : yield* sessions.resolve(token, isUnattended)
    })
    return StaffAccess.of((httpEffect, { endpoint }) =>
      Effect.matchEffect(Effect.flatMap(HttpServerRequest.HttpServerRequest, admit), {
        onFailure: (error) => Effect.succeed(answerError(endpoint, error)),
        onSuccess: (session) => Effect.provideService(httpEffect, SignedInStaff, session)
      })
    )
  })
)
