import type { ResolvedStaffSession } from "@care/domain/auth"
import { isCrossSite, isUnattended, ServiceConfig, staffCookieName, staffTokenOf } from "@care/service-kit"
import { Context, DateTime, Duration, Effect, Layer } from "effect"
import { HttpEffect, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { AuthSettings } from "../../AuthSettings.ts"
import type { IssuedSession } from "./StaffSessions.ts"

/** How a request presents its session. */
interface Presented {
  readonly token: string | undefined
  /** Whether a page of another site may have sent the request. */
  readonly isCrossSite: boolean
  /** Whether nobody asked for the request. */
  readonly isUnattended: boolean
}

/**
 * The cookie that has the token of a session, and the one that binds a single sign-on to a browser. They are for this host alone if the
 * console is served over HTTPS.
 */
export class StaffCookies extends Context.Service<
  StaffCookies,
  {
    readonly presented: (request: HttpServerRequest.HttpServerRequest) => Presented
    /** Has the answer set the cookie of a new session, and returns the session. */
    readonly set: (
      issued: IssuedSession
    ) => Effect.Effect<ResolvedStaffSession, never, HttpServerRequest.HttpServerRequest>
    /** Has the answer remove the cookie. */
    readonly remove: Effect.Effect<void, never, HttpServerRequest.HttpServerRequest>
    /** Returns the secret of the browser that began a single sign-on. */
    readonly browserOf: (request: HttpServerRequest.HttpServerRequest) => string | undefined
    readonly setBrowser: (
      secret: string,
      lifetime: Duration.Duration
    ) => Effect.Effect<void, never, HttpServerRequest.HttpServerRequest>
  }
>()("@care/auth/staff/StaffCookies") {
  static readonly layer = Layer.effect(
    StaffCookies,
    Effect.gen(function* () {
      const { isProduction } = yield* ServiceConfig
      const { origin, protocol } = new URL((yield* AuthSettings).publicUrl)
      const secure = isProduction || protocol === "https:"
      const name = staffCookieName(secure)
      const browserName = secure ? "__Host-care_oidc" : "care_oidc"

      const setCookie = (cookie: string, value: string, maxAge: Duration.Duration, sameSite: "strict" | "lax") =>
        HttpEffect.appendPreResponseHandler((_, response) =>
          Effect.orDie(
            HttpServerResponse.setCookie(response, cookie, value, {
              httpOnly: true,
              secure,
              sameSite,
              path: "/",
              maxAge
            })
          )
        )

      return StaffCookies.of({
        presented: (request) => {
          const sent = staffTokenOf(request.headers, name)
          return {
            token: sent?.token,
            isCrossSite: isCrossSite(request, origin, sent),
            isUnattended: isUnattended(request)
          }
        },
        set: Effect.fnUntraced(function* ({ session, token }) {
          const now = yield* DateTime.nowAsDate
          const maxAge = Duration.seconds(Math.ceil((session.expiresAt.getTime() - now.getTime()) / 1000))
          yield* setCookie(name, token, maxAge, "strict")
          return session
        }),
        remove: setCookie(name, "", Duration.zero, "strict"),
        browserOf: ({ cookies }) => cookies[browserName],
        // The provider sends the browser back from another site, with no strict cookie.
        setBrowser: (secret, lifetime) => setCookie(browserName, secret, lifetime, "lax")
      })
    })
  )
}
