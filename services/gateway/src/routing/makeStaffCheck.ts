import type { IncomingMessage } from "node:http"
import { CrossSiteRefused, RoleRefused, SecondFactorNeeded, StepUpNeeded } from "@care/domain/http"
import type { Permission } from "@care/domain/permissions"
import { isCrossSite, isUnattended, staffTokenOf } from "@care/service-kit"
import { Clock, Effect } from "effect"
import { type ResolvedStaff, StaffResolver } from "../keys/index.ts"
import { lacksSandbox } from "./identityInMode.ts"
import { staffOrigin } from "./staffOrigin.ts"

const stepUpMillis = 5 * 60 * 1000

const forOperators: Permission = { roles: ["OPERATOR"], needsStepUp: false }

/**
 * Makes the function that finds the session of a request of staff and checks what the permission of an endpoint asks. It returns undefined
 * for a request without a session.
 */
export const makeStaffCheck = Effect.gen(function* () {
  const { cookieName, origin } = yield* staffOrigin
  const sessions = yield* StaffResolver

  const isSteppedUp = ({ steppedUpAt }: ResolvedStaff) =>
    Effect.map(Clock.currentTimeMillis, (now) => steppedUpAt !== undefined && now - steppedUpAt <= stepUpMillis)

  return Effect.fnUntraced(function* (request: IncomingMessage, permission: Permission | undefined) {
    const sent = staffTokenOf(request.headers, cookieName)
    if (sent === undefined) return undefined
    const session = yield* sessions.resolve(sent.token, isUnattended(request))
    if (isCrossSite(request, origin, sent)) return yield* new CrossSiteRefused()
    const { needsStepUp, roles } = permission ?? forOperators
    const { role } = session.identity
    if (session.state === "PENDING") return yield* new SecondFactorNeeded()
    if (!roles.includes(role)) return yield* new RoleRefused({ role, needed: roles })
    const mayUse = (found: ResolvedStaff) => (needsStepUp ? isSteppedUp(found) : Effect.succeed(true))
    if (!lacksSandbox(request, session) && (yield* mayUse(session))) return session
    // The person may have used a passkey, or issued the first test key, since auth answered.
    const newSession = yield* sessions.resolveAgain(sent.token, isUnattended(request))
    return (yield* mayUse(newSession)) ? newSession : yield* new StepUpNeeded()
  })
})
