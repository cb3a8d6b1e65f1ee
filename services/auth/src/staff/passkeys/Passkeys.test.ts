import type { CreatedCredential, PasskeyCreation } from "@care/domain/auth"
import { whileHeld } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Option, Result } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { addMember, codeFor, enrol, layerStaff, makeSignedIn, signInByCode } from "../../../test/layerStaff.ts"
import { SoftAuthenticator } from "../../../test/SoftAuthenticator.ts"
import { DeviceSignIns } from "../devices/DeviceSignIns.ts"
import { Operators } from "../operators/Operators.ts"
import { StaffSignIn } from "../StaffSignIn.ts"
import { StaffSessions } from "../sessions/StaffSessions.ts"
import { Passkeys } from "./Passkeys.ts"

const tagOf = <E extends { readonly _tag: string }>(error: E) => error._tag
const refusal = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), tagOf)
const origin = "http://localhost:8080"

layer(layerStaff())("passkeys of staff", (it) => {
  it.effect("the first one is enrolled with a code alone, makes the session active, and gives ten recovery codes", () =>
    Effect.gen(function* () {
      const sessions = yield* StaffSessions
      const sql = yield* SqlClient.SqlClient
      const member = yield* addMember()
      const pending = yield* signInByCode(member)
      const { issued, passkey, recoveryCodes } = yield* enrol(pending.session)
      assert.strictEqual(issued?.session.state, "ACTIVE")
      assert.strictEqual(yield* refusal(sessions.resolve(pending.token)), "SessionUnknown")
      assert.strictEqual(passkey.name, "Key")
      assert.strictEqual(new Set(recoveryCodes).size, 10)
      for (const code of recoveryCodes) assert.match(code, /^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/)
      const stored = JSON.stringify(yield* sql`SELECT * FROM recovery_codes WHERE user_id = ${member.userId}`)
      for (const code of recoveryCodes) assert.notInclude(stored, code)
      assert.isTrue((yield* sessions.describe(issued?.session ?? pending.session)).hasPasskeys)
    })
  )

  it.effect("a passkey alone signs in, and each use steps the session up for five minutes", () =>
    Effect.gen(function* () {
      const passkeys = yield* Passkeys
      const sessions = yield* StaffSessions
      const { authenticator, userId } = yield* makeSignedIn()
      const first = yield* passkeys.use(undefined, authenticator.use(yield* passkeys.requestOptions(undefined)))
      assert.deepInclude(first.session, { userId, state: "ACTIVE" })
      yield* sessions.requireStepUp(first.session)
      yield* TestClock.adjust("5 minutes")
      assert.strictEqual(yield* refusal(sessions.requireStepUp(first.session)), "StepUpNeeded")
      const options = yield* passkeys.requestOptions(first.session)
      assert.lengthOf(options.allowCredentials, 1)
      // With a session an authenticator may leave the person out.
      const { response, ...credential } = authenticator.use(options)
      const again = yield* passkeys.use(first.session, {
        ...credential,
        response: { ...response, userHandle: undefined }
      })
      yield* sessions.requireStepUp(again.session)
      assert.notStrictEqual(again.session.sessionId, first.session.sessionId)
      assert.strictEqual(yield* refusal(sessions.resolve(first.token)), "SessionUnknown")
    })
  )

  it.effect("a pending session becomes active by the person's passkey, and may not enrol another", () =>
    Effect.gen(function* () {
      const passkeys = yield* Passkeys
      const { authenticator, ...member } = yield* makeSignedIn()
      yield* TestClock.adjust("31 seconds")
      const { session } = yield* signInByCode(member)
      assert.strictEqual(yield* refusal(enrol(session)), "SecondFactorNeeded")
      assert.strictEqual(yield* refusal(passkeys.list(session)), "SecondFactorNeeded")
      const { session: active } = yield* passkeys.use(
        session,
        authenticator.use(yield* passkeys.requestOptions(session))
      )
      assert.strictEqual(active.state, "ACTIVE")
    })
  )

  it.effect("is refused of another origin, without user verification, with a wrong signature, and of nobody", () =>
    Effect.gen(function* () {
      const passkeys = yield* Passkeys
      const { authenticator } = yield* makeSignedIn()
      const ask = passkeys.requestOptions(undefined)
      const use = (credential: ReturnType<SoftAuthenticator["use"]>) => refusal(passkeys.use(undefined, credential))
      for (const changes of [{ origin: "https://evil.example" }, { origin: `${origin}0` }, { isUserVerified: false }]) {
        assert.strictEqual(yield* use(authenticator.use(yield* ask, changes)), "PasskeyRejected")
      }
      const { challenge } = yield* ask
      assert.strictEqual(yield* use(authenticator.use({ challenge, rpId: "evil.example" })), "PasskeyRejected")
      const used = authenticator.use(yield* ask)
      const other = authenticator.use(yield* ask)
      const { signature } = other.response
      assert.strictEqual(yield* use({ ...used, response: { ...used.response, signature } }), "PasskeyRejected")
      const unreadable = { ...other.response, clientDataJSON: "nonsense" }
      assert.strictEqual(yield* use({ ...other, response: unreadable }), "PasskeyRejected")
      const stranger = new SoftAuthenticator(origin)
      assert.strictEqual(yield* use(stranger.use(yield* ask)), "PasskeyRejected")
    })
  )

  it.effect("is not enrolled of another origin, for another host, or without user verification", () =>
    Effect.gen(function* () {
      const passkeys = yield* Passkeys
      const { session } = yield* makeSignedIn()
      const register = Effect.fnUntraced(function* (make: (options: PasskeyCreation) => CreatedCredential) {
        return yield* passkeys.register(session, "Key", make(yield* passkeys.creationOptions(session)))
      })
      const device = new SoftAuthenticator(origin)
      for (const make of [
        (options: PasskeyCreation) => device.create(options, { origin: "https://evil.example" }),
        (options: PasskeyCreation) => device.create({ ...options, rp: { ...options.rp, id: "evil.example" } }),
        (options: PasskeyCreation) => device.create(options, { isUserVerified: false })
      ]) {
        assert.strictEqual(yield* refusal(register(make)), "PasskeyRejected")
      }
      yield* register((options) => device.create(options))
    })
  )

  it.effect(
    "a challenge works once, for five minutes, for one purpose, and only in the session that asked for it",
    () =>
      Effect.gen(function* () {
        const passkeys = yield* Passkeys
        const one = yield* makeSignedIn()
        const other = yield* makeSignedIn()
        const use = (session: typeof one.session | undefined, credential: ReturnType<SoftAuthenticator["use"]>) =>
          refusal(passkeys.use(session, credential))
        const used = one.authenticator.use(yield* passkeys.requestOptions(undefined))
        yield* passkeys.use(undefined, used)
        assert.strictEqual(yield* use(undefined, used), "PasskeyRejected")
        const late = one.authenticator.use(yield* passkeys.requestOptions(undefined))
        const ofAnother = one.authenticator.use(yield* passkeys.requestOptions(other.session))
        const ofNone = one.authenticator.use(yield* passkeys.requestOptions(undefined))
        assert.strictEqual(yield* use(one.session, ofAnother), "PasskeyRejected")
        const colleague = yield* makeSignedIn(one.organizationId)
        const ofColleague = one.authenticator.use(yield* passkeys.requestOptions(colleague.session))
        assert.strictEqual(yield* use(one.session, ofColleague), "PasskeyRejected")
        assert.strictEqual(yield* use(undefined, ofAnother), "PasskeyRejected")
        assert.strictEqual(yield* use(one.session, ofNone), "PasskeyRejected")
        const { challenge, rp } = yield* passkeys.creationOptions(one.session)
        const ofCreation = one.authenticator.use({ challenge, rpId: rp.id })
        assert.strictEqual(yield* use(one.session, ofCreation), "PasskeyRejected")
        yield* TestClock.adjust("5 minutes")
        assert.strictEqual(yield* use(undefined, late), "PasskeyRejected")
      })
  )

  it.effect("another person's passkey steps no session up, whether it is of the organization or not", () =>
    Effect.gen(function* () {
      const passkeys = yield* Passkeys
      const victim = yield* makeSignedIn()
      for (const organizationId of [victim.organizationId, undefined]) {
        const { authenticator } = yield* makeSignedIn(organizationId)
        const credential = authenticator.use(yield* passkeys.requestOptions(victim.session))
        assert.strictEqual(yield* refusal(passkeys.use(victim.session, credential)), "PasskeyRejected")
      }
    })
  )

  it.effect(
    "one of 20 parallel uses of one answer starts a session, and one of 20 registrations stores a passkey",
    () =>
      Effect.gen(function* () {
        const passkeys = yield* Passkeys
        const { authenticator, organizationId, session } = yield* makeSignedIn()
        const credential = authenticator.use(yield* passkeys.requestOptions(undefined))
        const twenty = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
          Effect.map(
            Effect.all(
              Array.from({ length: 20 }, () => Effect.result(effect)),
              { concurrency: "unbounded" }
            ),
            (results) => results.filter(Result.isSuccess).length
          )
        assert.strictEqual(yield* twenty(passkeys.use(undefined, credential)), 1)
        const created = new SoftAuthenticator(origin).create(yield* passkeys.creationOptions(session))
        assert.strictEqual(yield* twenty(passkeys.register(session, "Second", created)), 1)
        assert.lengthOf(yield* passkeys.list(session), 2)
        // Each of 20 pending sessions has a challenge of its own, and one of them enrols the first passkey.
        const member = yield* addMember(organizationId)
        const { session: pending } = yield* signInByCode(member)
        const answers = yield* Effect.forEach(Array(20).keys(), () =>
          Effect.map(passkeys.creationOptions(pending), (options) => new SoftAuthenticator(origin).create(options))
        )
        const results = yield* Effect.forEach(
          answers,
          (answer) => Effect.result(passkeys.register(pending, "First", answer)),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(results.filter(Result.isSuccess), 1)
        // So it is with 5 pending sessions of one person.
        const another = yield* addMember(organizationId)
        const registrations = yield* Effect.forEach(
          Array(5).keys(),
          Effect.fnUntraced(function* () {
            yield* TestClock.adjust("31 seconds")
            const { session: waiting } = yield* signInByCode(another)
            const answer = new SoftAuthenticator(origin).create(yield* passkeys.creationOptions(waiting))
            return Effect.result(passkeys.register(waiting, "First", answer))
          })
        )
        const enrolled = yield* Effect.all(registrations, { concurrency: "unbounded" })
        assert.lengthOf(enrolled.filter(Result.isSuccess), 1)
      })
  )

  it.effect("a signature counter that does not rise is refused, also in parallel", () =>
    Effect.gen(function* () {
      const passkeys = yield* Passkeys
      const { authenticator } = yield* makeSignedIn()
      const useAt = (counter: number) =>
        Effect.flatMap(passkeys.requestOptions(undefined), (options) =>
          Effect.result(passkeys.use(undefined, authenticator.use(options, { counter })))
        )
      assert.isTrue(Result.isSuccess(yield* useAt(7)))
      for (const counter of [7, 6, 0]) assert.isTrue(Result.isFailure(yield* useAt(counter)), String(counter))
      const parallel = yield* Effect.all([useAt(8), useAt(8), useAt(8)], { concurrency: "unbounded" })
      assert.lengthOf(parallel.filter(Result.isSuccess), 1)
    })
  )

  it.effect("more passkeys need a step-up, one authenticator is enrolled once, and the last one stays", () =>
    Effect.gen(function* () {
      const passkeys = yield* Passkeys
      const { authenticator, passkey, session } = yield* makeSignedIn()
      assert.strictEqual(yield* refusal(passkeys.delete(session, passkey.id)), "LastPasskey")
      assert.strictEqual(yield* refusal(enrol(session, authenticator)), "PasskeyRejected")
      const second = yield* enrol(session)
      assert.deepStrictEqual([second.recoveryCodes, second.issued], [[], undefined])
      assert.strictEqual((yield* passkeys.rename(session, second.passkey.id, "Phone")).name, "Phone")
      const stranger = yield* makeSignedIn()
      assert.strictEqual(
        yield* refusal(passkeys.rename(stranger.session, second.passkey.id, "Mine")),
        "PasskeyNotFound"
      )
      yield* enrol(stranger.session)
      assert.strictEqual(yield* refusal(passkeys.delete(stranger.session, second.passkey.id)), "PasskeyNotFound")
      yield* TestClock.adjust("5 minutes")
      assert.strictEqual(yield* refusal(enrol(session)), "StepUpNeeded")
      assert.strictEqual(yield* refusal(passkeys.delete(session, passkey.id)), "StepUpNeeded")
      const fresh = yield* passkeys.use(session, authenticator.use(yield* passkeys.requestOptions(session)))
      yield* passkeys.delete(fresh.session, passkey.id)
      const gone = authenticator.use(yield* passkeys.requestOptions(undefined))
      assert.strictEqual(yield* refusal(passkeys.use(undefined, gone)), "PasskeyRejected")
      assert.deepStrictEqual(
        (yield* passkeys.list(fresh.session)).map(({ name }) => name),
        ["Phone"]
      )
    })
  )

  it.effect("a person has at most 20 passkeys", () =>
    Effect.gen(function* () {
      const { session } = yield* makeSignedIn()
      for (let count = 1; count < 20; count += 1) yield* enrol(session)
      assert.strictEqual(yield* refusal(enrol(session)), "PasskeysFull")
    })
  )

  it.effect("each recovery code works once, however it is typed, and only for its person", () =>
    Effect.gen(function* () {
      const passkeys = yield* Passkeys
      const { recoveryCodes, ...member } = yield* makeSignedIn()
      const other = yield* makeSignedIn()
      const [first = "", second = ""] = recoveryCodes
      yield* TestClock.adjust("31 seconds")
      const { session } = yield* signInByCode(member)
      assert.strictEqual(yield* refusal(passkeys.recover(other.session, first)), "RecoveryCodeRejected")
      assert.strictEqual(yield* refusal(passkeys.recover(session, "00000-00000")), "RecoveryCodeRejected")
      const typed = first.toLowerCase().replace("-", " ").replaceAll("0", "o").replaceAll("1", "l")
      const { session: active } = yield* passkeys.recover(session, typed)
      assert.strictEqual(active.state, "ACTIVE")
      assert.strictEqual(yield* refusal(passkeys.recover(active, first)), "RecoveryCodeRejected")
      yield* enrol(active)
      const results = yield* Effect.all(
        Array.from({ length: 20 }, () => Effect.result(passkeys.recover(active, second))),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(results.filter(Result.isSuccess), 1)
    })
  )

  it.effect(
    "new recovery codes void the older ones, need a step-up, and are ten, also when they are made in parallel",
    () =>
      Effect.gen(function* () {
        const passkeys = yield* Passkeys
        const sessions = yield* StaffSessions
        const { recoveryCodes: older, session, ...member } = yield* makeSignedIn()
        const left = (of: typeof session) => Effect.map(sessions.describe(of), (own) => own.recoveryCodesLeft)
        assert.strictEqual(yield* left(session), 10)
        const renewed = yield* Effect.all(
          Array.from({ length: 5 }, () => passkeys.renewRecoveryCodes(session)),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(new Set([...older, ...renewed.flat()]).size, 60)
        assert.strictEqual(yield* left(session), 10)
        const codes = yield* passkeys.renewRecoveryCodes(session)
        yield* TestClock.adjust("31 seconds")
        const { session: pending } = yield* signInByCode(member)
        assert.strictEqual(yield* left(pending), 10)
        for (const code of [...older, ...renewed.flat()].slice(0, 20)) {
          assert.strictEqual(yield* refusal(passkeys.recover(pending, code)), "RecoveryCodeRejected")
        }
        assert.strictEqual(yield* refusal(passkeys.renewRecoveryCodes(pending)), "SecondFactorNeeded")
        const { session: active } = yield* passkeys.recover(pending, codes[0] ?? "")
        assert.strictEqual(yield* left(active), 9)
        yield* TestClock.adjust("5 minutes")
        assert.strictEqual(yield* refusal(passkeys.renewRecoveryCodes(active)), "StepUpNeeded")
        assert.strictEqual(yield* left(active), 9)
      })
  )

  it.effect("a passkey or recovery codes that are made during a reset are refused after it", () =>
    Effect.gen(function* () {
      const passkeys = yield* Passkeys
      const operators = yield* Operators
      const { session, ...member } = yield* makeSignedIn()
      const credential = new SoftAuthenticator(origin).create(yield* passkeys.creationOptions(session))
      const [, refused] = yield* whileHeld(operators.resetSignIn(member.userId), [
        refusal(Effect.asVoid(passkeys.register(session, "Key", credential))),
        refusal(Effect.asVoid(passkeys.renewRecoveryCodes(session)))
      ])
      assert.deepStrictEqual(refused, ["SessionUnknown", "SessionUnknown"])
    })
  )

  it.effect(
    "a reset removes passkeys, codes, sessions and approved devices, tells the person, and the next code enrols again",
    () =>
      Effect.gen(function* () {
        const devices = yield* DeviceSignIns
        const passkeys = yield* Passkeys
        const operators = yield* Operators
        const sessions = yield* StaffSessions
        const sql = yield* SqlClient.SqlClient
        const { authenticator, recoveryCodes, session: former, token, ...member } = yield* makeSignedIn()
        const code = Option.getOrThrow(yield* codeFor(member))
        const [approved, ofColleague] = [yield* devices.start, yield* devices.start]
        yield* devices.decide(former, approved.userCode, true)
        yield* devices.decide((yield* makeSignedIn(member.organizationId)).session, ofColleague.userCode, true)
        yield* operators.resetSignIn(member.userId)
        assert.strictEqual(yield* refusal(devices.token(approved.deviceCode)), "DeviceDenied")
        yield* devices.token(ofColleague.deviceCode)
        assert.strictEqual(yield* refusal((yield* StaffSignIn).verifyCode(member.email, code)), "StaffCodeRejected")
        assert.strictEqual(yield* refusal(sessions.resolve(token)), "SessionUnknown")
        const credential = authenticator.use(yield* passkeys.requestOptions(undefined))
        assert.strictEqual(yield* refusal(passkeys.use(undefined, credential)), "PasskeyRejected")
        const { session } = yield* signInByCode(member)
        assert.strictEqual(yield* refusal(passkeys.recover(session, recoveryCodes[0] ?? "")), "RecoveryCodeRejected")
        assert.lengthOf((yield* enrol(session)).recoveryCodes, 10)
        const notices = sql`
          SELECT id FROM jobs WHERE queue_name = 'sign-in-reset-notice' AND organization_id = ${member.organizationId}
        `
        assert.lengthOf(yield* notices, 1)
      })
  )
})
