import { randomUUID } from "node:crypto"
import { Audit } from "@care/audit"
import {
  type CreatedCredential,
  LastPasskey,
  type Passkey,
  type PasskeyCreation,
  PasskeyNotFound,
  PasskeyRejected,
  type PasskeyRequest,
  PasskeysFull,
  RecoveryCodeRejected,
  type ResolvedStaffSession,
  type SessionUnknown,
  type UsedCredential
} from "@care/domain/auth"
import { SecondFactorNeeded, type StepUpNeeded } from "@care/domain/http"
import { nobodysId, PasskeyId } from "@care/domain/ids"
import { inTransaction, keyHash } from "@care/service-kit"
import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { AuthSettings } from "../../AuthSettings.ts"
import { makeMembersRepo } from "../../people/index.ts"
import { byThemselves } from "../byThemselves.ts"
import { consoleOf } from "../consoleOf.ts"
import { type IssuedSession, StaffSessions } from "../sessions/StaffSessions.ts"
import { type Challenge, makePasskeysRepo, type StoredPasskey } from "./PasskeysRepo.ts"
import {
  algorithms,
  challengeIn,
  creationOf,
  creationResponseOf,
  makeChallenge,
  requestOf,
  useResponseOf,
  userIdOf
} from "./passkeyOptions.ts"
import { RecoveryCodes } from "./RecoveryCodes.ts"

interface EnrolledPasskey {
  readonly passkey: Passkey
  /** Ten with the first passkey, none with others. */
  readonly recoveryCodes: ReadonlyArray<string>
  /** The session that took the place of the one that was pending. */
  readonly issued: IssuedSession | undefined
}

const lifetimeMillis = Duration.toMillis("5 minutes")
const maxPasskeys = 20

type Session = ResolvedStaffSession

// Imported with the first passkey, because its certificates and ASN.1 would keep the heap of a starting process large.
const webAuthn = Effect.promise(() => import("@simplewebauthn/server"))

/**
 * The passkeys of staff (WebAuthn, with user verification). A challenge is stored, and taken by the first answer to it, whether that is right
 * or not.
 */
export class Passkeys extends Context.Service<
  Passkeys,
  {
    readonly list: (session: Session) => Effect.Effect<ReadonlyArray<Passkey>, SecondFactorNeeded>
    readonly creationOptions: (
      session: Session
    ) => Effect.Effect<PasskeyCreation, SecondFactorNeeded | StepUpNeeded | PasskeysFull>
    readonly register: (
      session: Session,
      name: string,
      credential: CreatedCredential
    ) => Effect.Effect<
      EnrolledPasskey,
      SecondFactorNeeded | SessionUnknown | StepUpNeeded | PasskeysFull | PasskeyRejected
    >
    /** Returns a challenge for the passkeys of a session's person, or for any passkey. */
    readonly requestOptions: (session: Session | undefined) => Effect.Effect<PasskeyRequest>
    /** Checks the use of a passkey, and starts a session, in the place of the present one if there is one. */
    readonly use: (
      session: Session | undefined,
      credential: UsedCredential
    ) => Effect.Effect<IssuedSession, PasskeyRejected>
    readonly rename: (
      session: Session,
      id: PasskeyId,
      name: string
    ) => Effect.Effect<Passkey, SecondFactorNeeded | PasskeyNotFound>
    readonly delete: (
      session: Session,
      id: PasskeyId
    ) => Effect.Effect<void, SecondFactorNeeded | StepUpNeeded | PasskeyNotFound | LastPasskey>
    /** Makes ten recovery codes in the place of the older ones. */
    readonly renewRecoveryCodes: (
      session: Session
    ) => Effect.Effect<ReadonlyArray<string>, SecondFactorNeeded | SessionUnknown | StepUpNeeded>
    /** Uses a recovery code in the place of a passkey. */
    readonly recover: (
      session: Session,
      code: string
    ) => Effect.Effect<IssuedSession, RecoveryCodeRejected | SessionUnknown>
  }
>()("@care/auth/staff/Passkeys") {
  static readonly layer = Layer.effect(
    Passkeys,
    Effect.gen(function* () {
      const audit = yield* Audit
      const members = yield* makeMembersRepo
      const repo = yield* makePasskeysRepo
      const recoveryCodes = yield* RecoveryCodes
      const sessions = yield* StaffSessions
      const sql = yield* SqlClient.SqlClient
      const { origin, rpId } = consoleOf((yield* AuthSettings).publicUrl)

      const challengeOf = (
        purpose: Challenge["purpose"],
        session: Session | undefined,
        challenge: string
      ): Challenge => ({
        organizationId: session?.organizationId ?? nobodysId,
        challengeHash: keyHash(challenge),
        purpose,
        sessionId: session?.sessionId ?? null
      })

      const challenge = Effect.fnUntraced(function* (purpose: Challenge["purpose"], session: Session | undefined) {
        const text = makeChallenge()
        const now = yield* DateTime.nowAsDate
        yield* repo.insertChallenge(challengeOf(purpose, session, text), new Date(now.getTime() + lifetimeMillis))
        return text
      })

      // The reason is for the log: the answer gives none.
      const rejected = (reason: string, session: Session | undefined) =>
        Effect.logWarning(`A passkey is refused: ${reason}`).pipe(
          Effect.annotateLogs(
            session === undefined ? {} : { organizationId: session.organizationId, userId: session.userId }
          ),
          Effect.andThen(new PasskeyRejected())
        )

      const takeChallenge = Effect.fnUntraced(function* (
        purpose: Challenge["purpose"],
        session: Session | undefined,
        clientDataJSON: string
      ) {
        const text = challengeIn(clientDataJSON)
        const isTaken =
          text !== undefined &&
          (yield* repo.takeChallenge(challengeOf(purpose, session, text), yield* DateTime.nowAsDate))
        return isTaken
          ? text
          : yield* rejected("its challenge is unknown, used, expired, or of another session", session)
      })

      // A reset that came first has ended the session.
      const lockMember = (session: Session) =>
        Effect.andThen(members.lock(session.organizationId, session.userId), sessions.requireOpen(session))

      // Who has no passkey may enrol one with a code alone, or right after a single sign-on. Later ones need a step-up.
      const mayEnrol = Effect.fnUntraced(function* (session: Session, existing: ReadonlyArray<StoredPasskey>) {
        if (session.state === "PENDING" && existing.length > 0) return yield* new SecondFactorNeeded()
        if (session.state === "ACTIVE") {
          yield* existing.length === 0 ? sessions.requireNew(session) : sessions.requireStepUp(session)
        }
        if (existing.length >= maxPasskeys) return yield* new PasskeysFull({ limit: maxPasskeys })
      })

      return Passkeys.of({
        list: Effect.fn("Passkeys.list")(function* (session) {
          yield* sessions.requireActive(session)
          return yield* repo.list(session.organizationId, session.userId)
        }),
        creationOptions: Effect.fn("Passkeys.creationOptions")(function* (session) {
          const { organizationId, userId } = session
          const existing = yield* repo.allOf(organizationId, userId)
          yield* mayEnrol(session, existing)
          const { user } = yield* sessions.describe(session)
          return creationOf({ challenge: yield* challenge("CREATE", session), rpId, user, existing })
        }),
        register: Effect.fn("Passkeys.register")(function* (session, name, credential) {
          const { organizationId, userId } = session
          const expectedChallenge = yield* takeChallenge("CREATE", session, credential.response.clientDataJSON)
          const { verifyRegistrationResponse } = yield* webAuthn
          const { registrationInfo } = yield* Effect.tryPromise(() =>
            verifyRegistrationResponse({
              response: creationResponseOf(credential),
              supportedAlgorithmIDs: algorithms,
              expectedChallenge,
              expectedOrigin: origin,
              expectedRPID: rpId,
              requireUserVerification: true
            })
          ).pipe(Effect.catch(() => rejected("its registration is not right", session)))
          if (registrationInfo === undefined) return yield* rejected("its registration is not right", session)
          const { counter, id: credentialId, publicKey, transports = [] } = registrationInfo.credential
          const createdAt = yield* DateTime.nowAsDate
          const passkey: Passkey = { id: PasskeyId.make(randomUUID()), name, createdAt, lastUsedAt: null }
          return yield* Effect.gen(function* () {
            yield* lockMember(session)
            const existing = yield* repo.allOf(organizationId, userId)
            yield* mayEnrol(session, existing)
            if (existing.some((other) => other.credentialId === credentialId)) {
              return yield* rejected("it is enrolled already", session)
            }
            yield* repo.insert({
              organizationId,
              id: passkey.id,
              userId,
              credentialId,
              publicKey: Buffer.from(publicKey).toString("base64url"),
              counter,
              transports,
              name,
              createdAt
            })
            yield* audit.changed(byThemselves(session, "SECOND_FACTOR_ADDED"))
            if (existing.length > 0) return { passkey, recoveryCodes: [], issued: undefined }
            const codes = yield* recoveryCodes.replace(organizationId, userId)
            return { passkey, recoveryCodes: codes, issued: yield* sessions.raise(session, passkey.id) }
          }).pipe(inTransaction(sql))
        }),
        requestOptions: Effect.fn("Passkeys.requestOptions")(function* (session) {
          const existing = session === undefined ? [] : yield* repo.allOf(session.organizationId, session.userId)
          return requestOf({ challenge: yield* challenge("USE", session), rpId, existing })
        }),
        use: Effect.fn("Passkeys.use")(function* (session, credential) {
          const expectedChallenge = yield* takeChallenge("USE", session, credential.response.clientDataJSON)
          // Without a session the passkey names its person.
          const named = session?.userId ?? userIdOf(credential.response.userHandle ?? "")
          const found = named === undefined ? Option.none() : yield* repo.find(named, credential.id)
          if (Option.isNone(found)) return yield* rejected("it is of nobody, or of another person", session)
          const { id: passkeyId, organizationId, publicKey, userId } = found.value
          const { verifyAuthenticationResponse } = yield* webAuthn
          const { authenticationInfo, verified } = yield* Effect.tryPromise(() =>
            verifyAuthenticationResponse({
              response: useResponseOf(credential),
              expectedChallenge,
              expectedOrigin: origin,
              expectedRPID: rpId,
              requireUserVerification: true,
              // `recordUse` compares the counter, so that parallel uses take turns.
              credential: { id: credential.id, publicKey: Buffer.from(publicKey, "base64url"), counter: 0 }
            })
          ).pipe(Effect.catch(() => rejected("its signature, origin or user verification is not right", session)))
          if (!verified) return yield* rejected("its signature is not right", session)
          return yield* Effect.gen(function* () {
            const isUsed = yield* repo.recordUse(found.value, authenticationInfo.newCounter, yield* DateTime.nowAsDate)
            if (!isUsed) return yield* rejected("its signature counter went back, so it may be a copy", session)
            if (session !== undefined) return yield* sessions.raise(session, passkeyId)
            if (!(yield* repo.signsIn(found.value))) {
              return yield* rejected("its person is gone, or has to use single sign-on", session)
            }
            const steppedUpAt = yield* DateTime.nowAsDate
            return yield* sessions.start({
              organizationId,
              userId,
              kind: "BROWSER",
              state: "ACTIVE",
              steppedUpAt,
              passkeyId
            })
          }).pipe(
            inTransaction(sql),
            Effect.catchTag("SessionUnknown", () => rejected("its person or session is not active any more", session))
          )
        }),
        rename: Effect.fn("Passkeys.rename")(function* (session, passkeyId, name) {
          yield* sessions.requireActive(session)
          const renamed = yield* repo.rename(session.organizationId, session.userId, passkeyId, name)
          return yield* Effect.fromOption(renamed, () => new PasskeyNotFound({ passkeyId }))
        }),
        delete: Effect.fn("Passkeys.delete")(function* (session, passkeyId) {
          const { organizationId, userId } = session
          yield* sessions.requireStepUp(session)
          yield* Effect.gen(function* () {
            yield* members.lock(organizationId, userId)
            const existing = yield* repo.allOf(organizationId, userId)
            if (!existing.some(({ id }) => id === passkeyId)) return yield* new PasskeyNotFound({ passkeyId })
            if (existing.length === 1) return yield* new LastPasskey()
            yield* repo.delete(organizationId, userId, passkeyId)
            yield* audit.changed(byThemselves(session, "SECOND_FACTOR_REMOVED"))
          }).pipe(inTransaction(sql))
        }),
        renewRecoveryCodes: Effect.fn("Passkeys.renewRecoveryCodes")(function* (session) {
          const { organizationId, userId } = session
          yield* sessions.requireStepUp(session)
          yield* lockMember(session)
          yield* audit.changed(byThemselves(session, "SECOND_FACTOR_ADDED"))
          return yield* recoveryCodes.replace(organizationId, userId)
        }, inTransaction(sql)),
        recover: Effect.fn("Passkeys.recover")(function* (session, code) {
          const { organizationId, userId } = session
          return yield* Effect.gen(function* () {
            if (!(yield* recoveryCodes.use(organizationId, userId, code))) return yield* new RecoveryCodeRejected()
            return yield* sessions.raise(session)
          }).pipe(inTransaction(sql))
        })
      })
    })
  ).pipe(Layer.provide(RecoveryCodes.layer))
}
