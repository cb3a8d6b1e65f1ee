import { randomUUID } from "node:crypto"
import { Audit } from "@care/audit"
import {
  type OwnStaffSession,
  type ResolvedStaffSession,
  SessionUnknown,
  type StaffSession,
  type StaffSessionKind,
  StaffSessionNotFound,
  type StaffSessionState,
  UserNotFound
} from "@care/domain/auth"
import { SecondFactorNeeded, StepUpNeeded } from "@care/domain/http"
import { type OrganizationId, type PasskeyId, StaffSessionId, type UserId } from "@care/domain/ids"
import { cellSetting, inTransaction, isFrozen, keyHash, makeStaffToken, readSettings } from "@care/service-kit"
import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { SqlClient } from "effect/sql"
import { AuthSettings } from "../../AuthSettings.ts"
import { jwtSecrets } from "../../jwtSecrets.ts"
import { makeUsersRepo, UserSnapshots } from "../../people/index.ts"
import { byThemselves, type Person } from "../byThemselves.ts"
import { makeDeviceSignInsRepo } from "../devices/DeviceSignInsRepo.ts"
import { clientNameOf } from "./clientNameOf.ts"
import { makeDraftKeyOf } from "./makeDraftKeyOf.ts"
import { makeStaffSessionsRepo } from "./StaffSessionsRepo.ts"

/** A new session with its token, which is shown only once. */
export interface IssuedSession {
  readonly token: string
  readonly session: ResolvedStaffSession
}

interface NewSession {
  readonly organizationId: OrganizationId
  readonly userId: UserId
  readonly kind: StaffSessionKind
  readonly state: StaffSessionState
  readonly steppedUpAt: Date | null
  readonly passkeyId?: PasskeyId | undefined
}

const pendingMillis = Duration.toMillis("15 minutes")
const stepUpMillis = Duration.toMillis("5 minutes")

/**
 * Sessions of staff. Only the hash of a token is stored. A session ends after its lifetime, without use for the idle time, when its person
 * or organization is not active any more, and when somebody ends it.
 */
export class StaffSessions extends Context.Service<
  StaffSessions,
  {
    /** Starts a session of an active member. Runs in a transaction. */
    readonly start: (session: NewSession) => Effect.Effect<IssuedSession, SessionUnknown>
    /**
     * Ends a session, and starts another one in its place with all rights, so that a token that somebody knew before gets none. Only one of
     * parallel callers succeeds. Runs in a transaction.
     */
    readonly raise: (
      session: ResolvedStaffSession,
      passkeyId?: PasskeyId
    ) => Effect.Effect<IssuedSession, SessionUnknown>
    /** Returns the session of a token, and records its use, unless nobody asked for the request. */
    readonly resolve: (token: string, isUnattended?: boolean) => Effect.Effect<ResolvedStaffSession, SessionUnknown>
    /** Fails unless the session is `ACTIVE`. */
    readonly requireActive: (session: ResolvedStaffSession) => Effect.Effect<void, SecondFactorNeeded>
    /** Fails unless the person has proved in the last five minutes who they are. */
    readonly requireStepUp: (session: ResolvedStaffSession) => Effect.Effect<void, SecondFactorNeeded | StepUpNeeded>
    /** Fails unless the session began in the last five minutes. */
    readonly requireNew: (session: ResolvedStaffSession) => Effect.Effect<void, StepUpNeeded>
    readonly describe: (session: ResolvedStaffSession) => Effect.Effect<OwnStaffSession>
    readonly end: (session: ResolvedStaffSession) => Effect.Effect<void>
    /** Fails if somebody has ended the session since it was resolved. */
    readonly requireOpen: (session: ResolvedStaffSession) => Effect.Effect<void, SessionUnknown>
    /** Ends all sessions of a person. Runs in a transaction. */
    readonly endAll: (organizationId: OrganizationId, userId: UserId) => Effect.Effect<void>
    /** Ends all sessions of the caller except this one, and denies approved devices that have none yet. */
    readonly endOthers: (caller: ResolvedStaffSession) => Effect.Effect<void, SecondFactorNeeded>
    /** Lists the caller's sessions, or those of a member whom they administer. */
    readonly list: (
      caller: ResolvedStaffSession,
      userId: UserId | undefined
    ) => Effect.Effect<ReadonlyArray<StaffSession>, SecondFactorNeeded | UserNotFound>
    /** Ends one of the sessions that the caller may list. */
    readonly endOne: (
      caller: ResolvedStaffSession,
      id: StaffSessionId
    ) => Effect.Effect<void, SecondFactorNeeded | StaffSessionNotFound>
  }
>()("@care/auth/staff/StaffSessions") {
  static readonly layer = Layer.effect(
    StaffSessions,
    Effect.gen(function* () {
      const audit = yield* Audit
      const devices = yield* makeDeviceSignInsRepo
      const draftKeyOf = makeDraftKeyOf(yield* jwtSecrets)
      const repo = yield* makeStaffSessionsRepo
      const sql = yield* SqlClient.SqlClient
      const people = yield* UserSnapshots
      const users = yield* makeUsersRepo
      const cell = yield* readSettings(cellSetting)
      const { staffIdleTime, staffSessionLifetime } = yield* AuthSettings
      const lifetimeMillis = Duration.toMillis(staffSessionLifetime)
      const idleMillis = Duration.toMillis(staffIdleTime)

      const idleSince = (now: Date) => new Date(now.getTime() - idleMillis)

      // What sends the request of a sign-in has the session.
      const clientName = Effect.map(Effect.serviceOption(HttpServerRequest.HttpServerRequest), (request) =>
        Option.isNone(request) ? null : clientNameOf(request.value.headers["user-agent"] ?? "")
      )

      const insert = Effect.fnUntraced(function* (session: NewSession, createdAt: Date, expiresAt: Date) {
        const { organizationId, state, steppedUpAt, userId } = session
        const found = yield* repo.activeRole(organizationId, userId)
        const { role } = yield* Effect.fromOption(found, () => new SessionUnknown())
        const token = makeStaffToken(cell)
        const sessionId = StaffSessionId.make(randomUUID())
        yield* repo.insert({
          ...session,
          id: sessionId,
          tokenHash: keyHash(token),
          client: yield* clientName,
          passkeyId: session.passkeyId ?? null,
          createdAt,
          expiresAt
        })
        return { token, session: { sessionId, userId, organizationId, role, state, steppedUpAt, expiresAt } }
      })

      // Not while the organization is about to move: what only reads goes on.
      const recordUse = ({ organizationId, sessionId }: ResolvedStaffSession, now: Date) =>
        Effect.catchDefect(repo.recordUse(organizationId, sessionId, now), (defect) =>
          isFrozen(defect) ? Effect.void : Effect.die(defect)
        )

      const recordSignIn = (person: Person) => audit.changed(byThemselves(person, "STAFF_SIGNED_IN"))

      const requireActive = ({ state }: ResolvedStaffSession) =>
        state === "ACTIVE" ? Effect.void : Effect.fail(new SecondFactorNeeded())

      const administers = (caller: ResolvedStaffSession, organizationId: OrganizationId) =>
        caller.role === "OPERATOR" || (caller.role === "ADMIN" && caller.organizationId === organizationId)

      return StaffSessions.of({
        start: Effect.fn("StaffSessions.start")(function* (session) {
          const now = yield* DateTime.nowAsDate
          const millis = session.state === "PENDING" ? Math.min(pendingMillis, lifetimeMillis) : lifetimeMillis
          const issued = yield* insert(session, now, new Date(now.getTime() + millis))
          if (session.state === "ACTIVE") yield* recordSignIn(session)
          return issued
        }),
        raise: Effect.fn("StaffSessions.raise")(function* (session, passkeyId) {
          const { expiresAt, organizationId, sessionId, state, userId } = session
          const now = yield* DateTime.nowAsDate
          if (!(yield* repo.end(organizationId, sessionId, now))) return yield* new SessionUnknown()
          const issued = yield* insert(
            { organizationId, userId, kind: "BROWSER", state: "ACTIVE", steppedUpAt: now, passkeyId },
            now,
            state === "ACTIVE" ? expiresAt : new Date(now.getTime() + lifetimeMillis)
          )
          if (state === "PENDING") yield* recordSignIn({ organizationId, userId })
          return issued
        }),
        resolve: Effect.fn("StaffSessions.resolve")(function* (token, isUnattended = false) {
          const now = yield* DateTime.nowAsDate
          const found = yield* repo.find(keyHash(token), now, idleSince(now))
          const { isTest, isUseKnown, sandboxId, ...session } = yield* Effect.fromOption(
            found,
            () => new SessionUnknown()
          )
          if (!isUseKnown && !isUnattended) yield* recordUse(session, now)
          return { ...session, ...(isTest && { isTest }), ...(sandboxId !== null && { sandboxId }) }
        }),
        requireActive,
        requireStepUp: Effect.fnUntraced(function* (session) {
          yield* requireActive(session)
          const { steppedUpAt } = session
          const now = yield* DateTime.nowAsDate
          if (steppedUpAt === null || now.getTime() - steppedUpAt.getTime() >= stepUpMillis) {
            return yield* new StepUpNeeded()
          }
        }),
        requireNew: Effect.fnUntraced(function* ({ organizationId, sessionId }) {
          const now = yield* DateTime.nowAsDate
          const isNew = yield* repo.beganAfter(organizationId, sessionId, new Date(now.getTime() - stepUpMillis))
          if (!isNew) return yield* new StepUpNeeded()
        }),
        describe: Effect.fn("StaffSessions.describe")(function* (session) {
          const { expiresAt, organizationId, role, sessionId, state, steppedUpAt, userId } = session
          const [found] = yield* people.find(organizationId, [userId])
          if (found === undefined) return yield* Effect.die(new Error("A session has no person"))
          const { email, firstName, lastName } = found.person
          const { hasPasskeys, organizationName, recoveryCodesLeft, sandboxId } = yield* repo.surroundings(
            organizationId,
            userId
          )
          return {
            sessionId,
            state,
            steppedUpAt,
            expiresAt,
            idleSeconds: Math.ceil(idleMillis / 1000),
            hasPasskeys,
            recoveryCodesLeft,
            draftKey: state === "ACTIVE" ? draftKeyOf(userId) : null,
            user: { id: userId, email, firstName, lastName, role },
            organization: { id: organizationId, name: organizationName },
            sandboxId
          }
        }),
        end: Effect.fn("StaffSessions.end")(function* ({ organizationId, sessionId }) {
          yield* repo.end(organizationId, sessionId, yield* DateTime.nowAsDate)
        }),
        requireOpen: Effect.fnUntraced(function* ({ organizationId, sessionId }) {
          if (!(yield* repo.isOpen(organizationId, sessionId))) return yield* new SessionUnknown()
        }),
        endAll: Effect.fn("StaffSessions.endAll")(function* (organizationId, userId) {
          yield* repo.endAll(organizationId, userId, null, yield* DateTime.nowAsDate)
        }),
        endOthers: Effect.fn("StaffSessions.endOthers")(function* (caller) {
          const { organizationId, sessionId, userId } = caller
          yield* requireActive(caller)
          // A device that gets its session meanwhile is waited for, and its session ends, too.
          yield* devices.denyApproved(organizationId, userId)
          yield* repo.endAll(organizationId, userId, sessionId, yield* DateTime.nowAsDate)
        }, inTransaction(sql)),
        list: Effect.fn("StaffSessions.list")(function* (caller, userId = caller.userId) {
          yield* requireActive(caller)
          const now = yield* DateTime.nowAsDate
          if (userId === caller.userId) return yield* repo.list(caller.organizationId, userId, now, idleSince(now))
          const owner = Option.filter(
            yield* users.findOwner(userId, undefined),
            ({ organizationId, role }) => role !== "USER" && administers(caller, organizationId)
          )
          const { organizationId } = yield* Effect.fromOption(owner, () => new UserNotFound({ userId }))
          return yield* repo.list(organizationId, userId, now, idleSince(now))
        }),
        endOne: Effect.fn("StaffSessions.endOne")(function* (caller, sessionId) {
          yield* requireActive(caller)
          const owner = Option.filter(
            yield* repo.findOwner(sessionId),
            ({ organizationId, userId }) => userId === caller.userId || administers(caller, organizationId)
          )
          const { organizationId } = yield* Effect.fromOption(owner, () => new StaffSessionNotFound({ sessionId }))
          const isEnded = yield* repo.end(organizationId, sessionId, yield* DateTime.nowAsDate)
          if (!isEnded) return yield* new StaffSessionNotFound({ sessionId })
        })
      })
    })
  )
}
