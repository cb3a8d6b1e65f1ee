import type { IncomingMessage } from "node:http"
import { CrossSiteRefused, RoleRefused, SecondFactorNeeded, StepUpNeeded } from "@care/domain/http"
import type { Permission } from "@care/domain/permissions"
import { publicUrlSetting, readSettings, ServiceConfig, staffCookieName } from "@care/service-kit"
import { Clock, Effect } from "effect"
import { type ResolvedStaff, StaffResolver } from "../keys/index.ts"
import { staffTokenOf } from "./staffTokenOf.ts"

const stepUpMillis = 5 * 60 * 1000

const forOperators: Permission = { roles: ["OPERATOR"], needsStepUp: false }

const safeMethods: ReadonlyArray<string | undefined> = ["GET", "HEAD"]

/**
 * Makes the function that finds the session of a request of staff and checks what the permission of an endpoint asks. It returns undefined
 * for a request without a session.
 */
export const makeStaffCheck = Effect.gen(function* () {
  const { isProduction, port } = yield* ServiceConfig
  const { origin, protocol } = new URL((yield* readSettings(publicUrlSetting)) ?? `http://localhost:${port}`)
  const sessions = yield* StaffResolver
  const cookieName = staffCookieName(isProduction || protocol === "https:")

  // Browsers send `Sec-Fetch-Site` over https and to localhost only.
  const isCrossSite = ({ headers, method }: IncomingMessage): boolean =>
    !safeMethods.includes(method) &&
    (headers.origin !== origin || (headers["sec-fetch-site"] ?? "same-origin") !== "same-origin")

  const isSteppedUp = ({ steppedUpAt }: ResolvedStaff) =>
    Effect.map(Clock.currentTimeMillis, (now) => steppedUpAt !== undefined && now - steppedUpAt <= stepUpMillis)

  return Effect.fnUntraced(function* (request: IncomingMessage, permission: Permission | undefined) {
    const sent = staffTokenOf(request, cookieName)
    if (sent === undefined) return undefined
    const session = yield* sessions.resolve(sent.token)
    if (sent.isCookie && isCrossSite(request)) return yield* new CrossSiteRefused()
    const { needsStepUp, roles } = permission ?? forOperators
    const { role } = session.identity
    if (session.state === "PENDING") return yield* new SecondFactorNeeded()
    if (!roles.includes(role)) return yield* new RoleRefused({ role, needed: roles })
    if (!needsStepUp || (yield* isSteppedUp(session))) return session
    // The person may have used a passkey since auth answered.
    const newSession = yield* sessions.resolveAgain(sent.token)
    return (yield* isSteppedUp(newSession)) ? newSession : yield* new StepUpNeeded()
  })
})
