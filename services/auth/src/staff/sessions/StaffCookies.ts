import type { ResolvedStaffSession } from "@care/domain/auth"
import { cookieIn, ServiceConfig, staffBearerIn, staffCookieName } from "@care/service-kit"
import { Context, DateTime, Duration, Effect, Layer } from "effect"
import { HttpEffect, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { AuthSettings } from "../../AuthSettings.ts"
import type { IssuedSession } from "./StaffSessions.ts"

/** How a request presents its session. */
interface Presented {
  readonly token: string | undefined
  /** Whether a page of another site may have sent the request. */
  readonly isOfOtherSite: boolean
}

type Headers = HttpServerRequest.HttpServerRequest["headers"]

// Browsers send both headers with every unsafe request. Programs send neither, and have no cookie of somebody else.
const isOfOtherSite = (headers: Headers, origin: string): boolean => {
  const { origin: sender, "sec-fetch-site": site } = headers
  if (sender !== undefined && sender !== origin) return true
  return site !== undefined && site !== "same-origin" && site !== "none"
}

/** The cookie that has the token of a session. It is for this host alone if the console is served over HTTPS. */
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
  }
>()("@care/auth/staff/StaffCookies") {
  static readonly layer = Layer.effect(
    StaffCookies,
    Effect.gen(function* () {
      const { isProduction } = yield* ServiceConfig
      const { origin, protocol } = new URL((yield* AuthSettings).publicUrl)
      const secure = isProduction || protocol === "https:"
      const name = staffCookieName(secure)

      const setCookie = (value: string, maxAge: Duration.Duration) =>
        HttpEffect.appendPreResponseHandler((_, response) =>
          Effect.orDie(
            HttpServerResponse.setCookie(response, name, value, {
              httpOnly: true,
              secure,
              sameSite: "strict",
              path: "/",
              maxAge
            })
          )
        )

      return StaffCookies.of({
        presented: ({ headers, method }) => {
          const bearer = staffBearerIn(headers["authorization"])
          return {
            token: bearer ?? cookieIn(headers["cookie"], name),
            isOfOtherSite: bearer === undefined && method !== "GET" && isOfOtherSite(headers, origin)
          }
        },
        set: Effect.fnUntraced(function* ({ session, token }) {
          const now = yield* DateTime.nowAsDate
          yield* setCookie(token, Duration.seconds(Math.ceil((session.expiresAt.getTime() - now.getTime()) / 1000)))
          return session
        }),
        remove: setCookie("", Duration.zero)
      })
    })
  )
}
