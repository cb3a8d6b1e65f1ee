import { AuthApi, SignedInStaff } from "@care/domain/auth"
import { CrossSiteRefused } from "@care/domain/http"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { DeviceSignIns } from "./devices/DeviceSignIns.ts"
import { Incidents } from "./incidents/Incidents.ts"
import { Operators } from "./operators/Operators.ts"
import { Passkeys } from "./passkeys/Passkeys.ts"
import { StaffSignIn } from "./StaffSignIn.ts"
import { StaffCookies } from "./sessions/StaffCookies.ts"
import { type IssuedSession, StaffSessions } from "./sessions/StaffSessions.ts"
import { type SignOnFailed, SignOns, signOnLifetime } from "./singleSignOn/SignOns.ts"
import { SingleSignOnSettings } from "./singleSignOn/SingleSignOnSettings.ts"

const seeOther = (path: string) => HttpServerResponse.redirect(path, { status: 303 })

const signInAfter = ({ next, why }: SignOnFailed) => {
  const search = new URLSearchParams({ error: why, ...(next !== null && { next }) })
  return `/console/sign-in?${search}`
}

// Answers with a new session, and its cookie.
const makeAnswer = Effect.gen(function* () {
  const cookies = yield* StaffCookies
  const sessions = yield* StaffSessions
  return (issued: IssuedSession) => Effect.flatMap(cookies.set(issued), sessions.describe)
})

export const StaffSessionsHandlers = HttpApiBuilder.group(
  AuthApi,
  "staffSessions",
  Effect.fnUntraced(function* (handlers) {
    const sessions = yield* StaffSessions
    return handlers.handleAll({ resolve: ({ payload }) => sessions.resolve(payload.token, payload.isUnattended) })
  })
)

export const StaffSignInHandlers = HttpApiBuilder.group(
  AuthApi,
  "staffSignIn",
  Effect.fnUntraced(function* (handlers) {
    const answer = yield* makeAnswer
    const cookies = yield* StaffCookies
    const devices = yield* DeviceSignIns
    const passkeys = yield* Passkeys
    const sessions = yield* StaffSessions
    const signIn = yield* StaffSignIn
    const signOns = yield* SignOns

    // Returns the living session of the request, or undefined. A page of another site must sign nobody in.
    const present = Effect.gen(function* () {
      const { isCrossSite, isUnattended, token } = cookies.presented(yield* HttpServerRequest.HttpServerRequest)
      if (isCrossSite) return yield* new CrossSiteRefused()
      return token === undefined
        ? undefined
        : yield* Effect.catchTag(sessions.resolve(token, isUnattended), "SessionUnknown", () => Effect.undefined)
    })

    return handlers.handleAll({
      sendCode: ({ payload }) => Effect.andThen(present, signIn.sendCode(payload.email)),
      mailbox: Effect.fnUntraced(function* ({ payload }) {
        yield* present
        return { data: yield* signIn.newestCode(payload.email) }
      }),
      verifyCode: Effect.fnUntraced(function* ({ payload }) {
        const former = yield* present
        const issued = yield* signIn.verifyCode(payload.email, payload.code)
        if (former !== undefined) yield* sessions.end(former)
        return yield* answer(issued)
      }),
      assertionOptions: () => Effect.flatMap(present, passkeys.requestOptions),
      assert: Effect.fnUntraced(function* ({ payload }) {
        return yield* answer(yield* passkeys.use(yield* present, payload))
      }),
      startDevice: () => Effect.andThen(present, devices.start),
      deviceToken: Effect.fnUntraced(function* ({ payload }) {
        yield* present
        const { session, token } = yield* devices.token(payload.deviceCode)
        return { token, expiresAt: session.expiresAt }
      }),
      startSingleSignOn: Effect.fnUntraced(function* ({ payload }) {
        yield* present
        const { browser, redirectTo } = yield* signOns.start(payload.email, payload.next ?? undefined)
        yield* cookies.setBrowser(browser, signOnLifetime)
        return { data: { redirectTo } }
      }),
      finishSingleSignOn: ({ query }) =>
        Effect.gen(function* () {
          const former = yield* present
          const browser = cookies.browserOf(yield* HttpServerRequest.HttpServerRequest)
          const { issued, next } = yield* signOns.finish(query, browser)
          if (former !== undefined) yield* sessions.end(former)
          yield* cookies.set(issued)
          return seeOther(`/console${next ?? ""}`)
        }).pipe(Effect.catchTag("SignOnFailed", (failed) => Effect.succeed(seeOther(signInAfter(failed)))))
    })
  })
)

export const StaffSessionHandlers = HttpApiBuilder.group(
  AuthApi,
  "staffSession",
  Effect.fnUntraced(function* (handlers) {
    const answer = yield* makeAnswer
    const cookies = yield* StaffCookies
    const devices = yield* DeviceSignIns
    const passkeys = yield* Passkeys
    const sessions = yield* StaffSessions
    return handlers.handleAll({
      whoAmI: () => Effect.flatMap(SignedInStaff, sessions.describe),
      signOut: () => Effect.andThen(Effect.flatMap(SignedInStaff, sessions.end), cookies.remove),
      sessions: Effect.fnUntraced(function* ({ query }) {
        return { data: yield* sessions.list(yield* SignedInStaff, query.userId) }
      }),
      endOtherSessions: () => Effect.flatMap(SignedInStaff, sessions.endOthers),
      endSession: Effect.fnUntraced(function* ({ params }) {
        yield* sessions.endOne(yield* SignedInStaff, params.sessionId)
      }),
      passkeys: () => Effect.map(Effect.flatMap(SignedInStaff, passkeys.list), (data) => ({ data })),
      creationOptions: () => Effect.flatMap(SignedInStaff, passkeys.creationOptions),
      register: Effect.fnUntraced(function* ({ payload }) {
        const current = yield* SignedInStaff
        const { issued, passkey, recoveryCodes } = yield* passkeys.register(current, payload.name, payload.credential)
        const session = yield* issued === undefined ? sessions.describe(current) : answer(issued)
        return { passkey, recoveryCodes, session }
      }),
      renamePasskey: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* passkeys.rename(yield* SignedInStaff, params.passkeyId, payload.name)
      }),
      deletePasskey: Effect.fnUntraced(function* ({ params }) {
        yield* passkeys.delete(yield* SignedInStaff, params.passkeyId)
      }),
      renewRecoveryCodes: () =>
        Effect.map(Effect.flatMap(SignedInStaff, passkeys.renewRecoveryCodes), (data) => ({ data })),
      recover: Effect.fnUntraced(function* ({ payload }) {
        return yield* answer(yield* passkeys.recover(yield* SignedInStaff, payload.code))
      }),
      approveDevice: Effect.fnUntraced(function* ({ payload }) {
        yield* devices.decide(yield* SignedInStaff, payload.userCode, payload.isApproved)
      })
    })
  })
)

export const SingleSignOnHandlers = HttpApiBuilder.group(
  AuthApi,
  "singleSignOn",
  Effect.fnUntraced(function* (handlers) {
    const settings = yield* SingleSignOnSettings
    return handlers.handleAll({
      get: ({ params }) => settings.get(params.organizationId),
      set: ({ params, payload }) => settings.set(params.organizationId, payload),
      remove: ({ params }) => settings.remove(params.organizationId)
    })
  })
)

export const StaffAdminHandlers = HttpApiBuilder.group(
  AuthApi,
  "staffAdmin",
  Effect.fnUntraced(function* (handlers) {
    const operators = yield* Operators
    return handlers.handleAll({
      invite: ({ payload }) => operators.invite(payload),
      operators: ({ query }) => operators.list(query),
      removeOperator: ({ params }) => operators.remove(params.userId),
      resetSignIn: ({ params }) => operators.resetSignIn(params.userId)
    })
  })
)

export const IncidentsHandlers = HttpApiBuilder.group(
  AuthApi,
  "incidents",
  Effect.fnUntraced(function* (handlers) {
    const incidents = yield* Incidents
    return handlers.handleAll({
      open: ({ payload }) => incidents.open(payload),
      list: ({ query }) => incidents.list(query),
      update: ({ params, payload }) => incidents.update(params.incidentId, payload)
    })
  })
)
