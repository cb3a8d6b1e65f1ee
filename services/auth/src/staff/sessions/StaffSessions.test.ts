import { keyHash, removeOldRows } from "@care/service-kit"
import { whileHeld } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option, Result } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { enrollPatient } from "../../../test/layerAuth.ts"
import { addMember, codeFor, layerStaff, makeSignedIn, signInByCode } from "../../../test/layerStaff.ts"
import { oldRows } from "../../oldRows.ts"
import { Organizations } from "../../organizations/index.ts"
import { OneTimeCodes } from "../../signIn/index.ts"
import { DeviceSignIns } from "../devices/DeviceSignIns.ts"
import { Passkeys } from "../passkeys/Passkeys.ts"
import { StaffSignIn } from "../StaffSignIn.ts"
import { StaffSessions } from "./StaffSessions.ts"

const resolve = (token: string) => Effect.flatMap(StaffSessions, (sessions) => sessions.resolve(token))
const isLiving = (token: string) => Effect.map(Effect.result(resolve(token)), Result.isSuccess)
const tagOf = <E extends { readonly _tag: string }>(error: E) => error._tag

layer(layerStaff())("sessions of staff", (it) => {
  it.effect("a code signs in its member, and the session is pending, stored as a hash, and ends after 15 minutes", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const member = yield* addMember()
      const { session, token } = yield* signInByCode(member)
      assert.match(token, /^cs_c1_[0-9A-Za-z]{38}$/)
      assert.deepInclude(yield* resolve(token), { userId: member.userId, state: "PENDING", role: "SUPPORT" })
      const rows = yield* sql`SELECT * FROM staff_sessions WHERE id = ${session.sessionId}`
      assert.deepInclude(rows[0], { tokenHash: keyHash(token) })
      assert.notInclude(JSON.stringify(rows), token)
      yield* TestClock.adjust("15 minutes")
      assert.isFalse(yield* isLiving(token))
    })
  )

  it.effect("codes of patients and of staff are never each other's", () =>
    Effect.gen(function* () {
      const codes = yield* OneTimeCodes
      const signIn = yield* StaffSignIn
      const member = yield* addMember()
      const clinic = yield* (yield* Organizations).create("Clinic of a patient")
      const { patient } = yield* enrollPatient(clinic.id, {
        email: member.email,
        phoneNumber: "+14155559911",
        firstName: "Jane",
        lastName: "Rivera"
      })
      const requestedAt = yield* DateTime.nowAsDate
      const forPatient = yield* codes.issue("3b241101-e2bb-4255-8caf-4136c566a901", {
        organizationId: clinic.id,
        identifier: patient.email,
        requestedAt
      })
      const patientsCode = Option.getOrThrow(forPatient).code
      const staffCode = Option.getOrThrow(yield* codeFor(member))
      assert.strictEqual(tagOf(yield* Effect.flip(signIn.verifyCode(member.email, patientsCode))), "StaffCodeRejected")
      assert.strictEqual(tagOf(yield* Effect.flip(codes.check(clinic.id, patient.email, staffCode))), "CodeMismatch")
      assert.strictEqual(
        tagOf(yield* Effect.flip(codes.check(member.organizationId, member.email, staffCode))),
        "CredentialsInvalid"
      )
      // A request of a patient makes no code for staff, and one of staff none for a patient.
      const asPatient = { organizationId: member.organizationId, identifier: member.email, requestedAt }
      assert.isTrue(Option.isNone(yield* codes.issue("3b241101-e2bb-4255-8caf-4136c566a902", asPatient)))
      const { userId: memberId } = member
      const ofPatient = { organizationId: clinic.id, identifier: patient.email, memberId, requestedAt }
      assert.isTrue(Option.isNone(yield* codes.issue("3b241101-e2bb-4255-8caf-4136c566a903", ofPatient)))
      assert.strictEqual((yield* signIn.verifyCode(member.email, staffCode)).session.userId, member.userId)
      yield* codes.check(clinic.id, patient.email, patientsCode)
    })
  )

  it.effect("a member of several organizations is signed in where the code is of", () =>
    Effect.gen(function* () {
      const signIn = yield* StaffSignIn
      const first = yield* addMember()
      const second = yield* addMember(undefined, { email: first.email })
      yield* codeFor(first)
      const code = Option.getOrThrow(yield* codeFor(second))
      const { session } = yield* signIn.verifyCode(first.email, code)
      assert.strictEqual(session.organizationId, second.organizationId)
      assert.strictEqual(tagOf(yield* Effect.flip(signIn.verifyCode(first.email, code))), "StaffCodeRejected")
    })
  )

  it.effect("who adds an email to many organizations shuts its person out of none of the five oldest", () =>
    Effect.gen(function* () {
      const signIn = yield* StaffSignIn
      const first = yield* addMember()
      const code = Option.getOrThrow(yield* codeFor(first))
      for (let other = 0; other < 4; other += 1) yield* addMember(undefined, { email: first.email })
      yield* TestClock.adjust("1 second")
      const sixth = yield* addMember(undefined, { email: first.email })
      const codeOfSixth = Option.getOrThrow(yield* codeFor(sixth))
      assert.strictEqual(tagOf(yield* Effect.flip(signIn.verifyCode(first.email, codeOfSixth))), "StaffCodeRejected")
      assert.strictEqual((yield* signIn.verifyCode(first.email, code)).session.userId, first.userId)
    })
  )

  it.effect("one of 20 parallel uses of a code signs in", () =>
    Effect.gen(function* () {
      const signIn = yield* StaffSignIn
      const member = yield* addMember()
      const code = Option.getOrThrow(yield* codeFor(member))
      const results = yield* Effect.all(
        Array.from({ length: 20 }, () => Effect.result(signIn.verifyCode(member.email, code))),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(results.filter(Result.isSuccess).length, 1)
      const sql = yield* SqlClient.SqlClient
      assert.strictEqual((yield* sql`SELECT id FROM staff_sessions WHERE user_id = ${member.userId}`).length, 1)
    })
  )

  it.effect("200 wrong codes lock a member for a day, and the right one is refused like them", () =>
    Effect.gen(function* () {
      const signIn = yield* StaffSignIn
      const member = yield* addMember()
      for (let attempt = 0; attempt < 200; attempt += 1) {
        yield* TestClock.adjust("31 seconds")
        yield* codeFor(member)
        assert.strictEqual(tagOf(yield* Effect.flip(signIn.verifyCode(member.email, "none"))), "StaffCodeRejected")
      }
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<{ count: number }>`
        SELECT cardinality(wrong_at) AS count FROM one_time_codes WHERE user_id = ${member.userId}
      `
      assert.strictEqual(row?.count, 20)
      assert.isTrue(Option.isNone(yield* codeFor(member)))
    })
  )

  it.effect("what signed in a member who is gone, or of a disabled organization, signs in no more", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const devices = yield* DeviceSignIns
      const organizations = yield* Organizations
      const passkeys = yield* Passkeys
      type Member = Effect.Success<ReturnType<typeof makeSignedIn>>
      for (const end of [
        ({ userId }: Member) => sql`UPDATE users SET is_active = false, deleted_at = now() WHERE id = ${userId}`,
        ({ organizationId }: Member) => organizations.update(organizationId, { isDisabled: true })
      ]) {
        const member = yield* makeSignedIn()
        const { deviceCode, userCode } = yield* devices.start
        yield* devices.decide(member.session, userCode, true)
        yield* end(member)
        const credential = member.authenticator.use(yield* passkeys.requestOptions(undefined))
        assert.strictEqual(tagOf(yield* Effect.flip(passkeys.use(undefined, credential))), "PasskeyRejected")
        assert.strictEqual(tagOf(yield* Effect.flip(devices.token(deviceCode))), "DeviceCodeUnknown")
        const recovered = passkeys.recover(member.session, member.recoveryCodes[0] ?? "")
        assert.strictEqual(tagOf(yield* Effect.flip(recovered)), "SessionUnknown")
      }
    })
  )

  it.effect("a session ends without use, and its use is written once a minute", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { session, token } = yield* makeSignedIn()
      const version = Effect.map(
        sql<{ by: string }>`SELECT xmin::text AS by FROM staff_sessions WHERE id = ${session.sessionId}`,
        ([row]) => row?.by
      )
      const before = yield* version
      yield* TestClock.adjust("59 seconds")
      yield* resolve(token)
      assert.strictEqual(yield* version, before)
      yield* TestClock.adjust("1 second")
      yield* resolve(token)
      assert.notStrictEqual(yield* version, before)
      for (let minutes = 0; minutes < 60; minutes += 29) {
        assert.isTrue(yield* isLiving(token))
        yield* TestClock.adjust("29 minutes")
      }
      yield* resolve(token)
      yield* TestClock.adjust("30 minutes")
      assert.isFalse(yield* isLiving(token))
    })
  )

  it.effect(
    "what nobody asked for is no use: a session ends half an hour after its use, however often timers ask",
    () =>
      Effect.gen(function* () {
        const sessions = yield* StaffSessions
        const { token } = yield* makeSignedIn()
        yield* TestClock.adjust("20 minutes")
        yield* resolve(token)
        for (let minutes = 0; minutes < 30; minutes += 1) {
          assert.strictEqual((yield* sessions.resolve(token, true)).state, "ACTIVE", String(minutes))
          yield* TestClock.adjust("1 minute")
        }
        assert.strictEqual(tagOf(yield* Effect.flip(sessions.resolve(token, true))), "SessionUnknown")
      })
  )

  it.effect("a session ends after 12 hours of use", () =>
    Effect.gen(function* () {
      const { token } = yield* makeSignedIn()
      for (let quarters = 0; quarters < 48; quarters += 1) {
        assert.isTrue(yield* isLiving(token), String(quarters))
        yield* TestClock.adjust("15 minutes")
      }
      assert.isFalse(yield* isLiving(token))
    })
  )

  it.effect("a session ends with its member, and while its organization is disabled", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const organizations = yield* Organizations
      const { organizationId, token, userId } = yield* makeSignedIn()
      yield* organizations.update(organizationId, { isDisabled: true })
      assert.isFalse(yield* isLiving(token))
      yield* organizations.update(organizationId, { isDisabled: false })
      assert.isTrue(yield* isLiving(token))
      yield* sql`UPDATE users SET is_active = false WHERE organization_id = ${organizationId} AND id = ${userId}`
      assert.isFalse(yield* isLiving(token))
    })
  )

  it.effect("no code signs in a member who is gone or not active, or of a disabled organization", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const organizations = yield* Organizations
      const signIn = yield* StaffSignIn
      for (const end of [
        (id: string) => sql`UPDATE users SET is_active = false WHERE id = ${id}`,
        (id: string) => sql`UPDATE users SET deleted_at = now() WHERE id = ${id}`
      ]) {
        const member = yield* addMember()
        const code = Option.getOrThrow(yield* codeFor(member))
        yield* end(member.userId)
        assert.strictEqual(tagOf(yield* Effect.flip(signIn.verifyCode(member.email, code))), "StaffCodeRejected")
        assert.isTrue(Option.isNone(yield* codeFor(member)))
      }
      const member = yield* addMember()
      const code = Option.getOrThrow(yield* codeFor(member))
      yield* organizations.update(member.organizationId, { isDisabled: true })
      assert.strictEqual(tagOf(yield* Effect.flip(signIn.verifyCode(member.email, code))), "StaffCodeRejected")
    })
  )

  it.effect("each rise in rights has another id and token, once, and the former one is worth nothing", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const sessions = yield* StaffSessions
      const pending = yield* signInByCode(yield* addMember())
      const rises = yield* Effect.all(
        Array.from({ length: 20 }, () => Effect.result(sql.withTransaction(sessions.raise(pending.session)))),
        { concurrency: "unbounded" }
      )
      const [raised, ...others] = rises.filter(Result.isSuccess)
      assert.lengthOf(others, 0)
      assert.isFalse(yield* isLiving(pending.token))
      if (raised === undefined) return assert.fail("none succeeded")
      const { session, token } = raised.success
      assert.notStrictEqual(session.sessionId, pending.session.sessionId)
      assert.deepInclude(yield* resolve(token), { state: "ACTIVE" })
      yield* TestClock.adjust("1 minute")
      const again = yield* sessions.raise(session)
      assert.isFalse(yield* isLiving(token))
      assert.deepStrictEqual(again.session.expiresAt, session.expiresAt)
    })
  )

  it.effect("a person lists and ends own sessions; an administrator those of the organization, and nobody others", () =>
    Effect.gen(function* () {
      const sessions = yield* StaffSessions
      const admin = yield* makeSignedIn(undefined, "ADMIN")
      const colleague = yield* makeSignedIn(admin.organizationId)
      const stranger = yield* makeSignedIn()
      const idsOf = (caller: typeof admin, userId?: typeof admin.userId) =>
        Effect.map(sessions.list(caller.session, userId), (listed) => listed.map(({ id }) => id))
      assert.deepStrictEqual(yield* idsOf(admin), [admin.session.sessionId])
      assert.deepStrictEqual(yield* idsOf(admin, colleague.userId), [colleague.session.sessionId])
      assert.strictEqual(tagOf(yield* Effect.flip(idsOf(admin, stranger.userId))), "UserNotFound")
      assert.strictEqual(tagOf(yield* Effect.flip(idsOf(colleague, admin.userId))), "UserNotFound")
      for (const [caller, other] of [
        [admin, stranger],
        [colleague, admin],
        [stranger, admin]
      ] as const) {
        const refused = yield* Effect.flip(sessions.endOne(caller.session, other.session.sessionId))
        assert.strictEqual(tagOf(refused), "StaffSessionNotFound")
      }
      yield* sessions.endOne(admin.session, colleague.session.sessionId)
      assert.isFalse(yield* isLiving(colleague.token))
      yield* sessions.endOne(admin.session, admin.session.sessionId)
      assert.isFalse(yield* isLiving(admin.token))
      assert.isTrue(yield* isLiving(stranger.token))
    })
  )

  it.effect("a person's key of drafts is the same in all sessions, of nobody else, and of no pending session", () =>
    Effect.gen(function* () {
      const passkeys = yield* Passkeys
      const sessions = yield* StaffSessions
      const { authenticator, session, ...member } = yield* makeSignedIn()
      const keyOf = (of: typeof session) => Effect.map(sessions.describe(of), ({ draftKey }) => draftKey)
      const key = yield* keyOf(session)
      assert.lengthOf(Buffer.from(key ?? "", "base64url"), 32)
      const again = yield* passkeys.use(undefined, authenticator.use(yield* passkeys.requestOptions(undefined)))
      assert.strictEqual(yield* keyOf(again.session), key)
      assert.notStrictEqual(yield* keyOf((yield* makeSignedIn(member.organizationId)).session), key)
      yield* TestClock.adjust("31 seconds")
      assert.isNull(yield* keyOf((yield* signInByCode(member)).session))
    })
  )

  it.effect("a person ends their other sessions and approved devices, and neither this one nor those of others", () =>
    Effect.gen(function* () {
      const devices = yield* DeviceSignIns
      const passkeys = yield* Passkeys
      const sessions = yield* StaffSessions
      const colleague = yield* makeSignedIn()
      const { authenticator, session, token } = yield* makeSignedIn(colleague.organizationId)
      const use = Effect.flatMap(passkeys.requestOptions(undefined), (options) =>
        passkeys.use(undefined, authenticator.use(options))
      )
      const [second, third] = [yield* use, yield* use]
      const [own, ofColleague] = [yield* devices.start, yield* devices.start]
      yield* devices.decide(session, own.userCode, true)
      yield* devices.decide(colleague.session, ofColleague.userCode, true)
      yield* sessions.endOthers(session)
      assert.isTrue(yield* isLiving(token))
      for (const other of [second, third]) assert.isFalse(yield* isLiving(other.token))
      assert.strictEqual(tagOf(yield* Effect.flip(devices.token(own.deviceCode))), "DeviceDenied")
      assert.isTrue(yield* isLiving(colleague.token))
      yield* devices.token(ofColleague.deviceCode)
    })
  )

  it.effect("a session that takes the place of one, while the person ends their other sessions, ends as well", () =>
    Effect.gen(function* () {
      const passkeys = yield* Passkeys
      const sessions = yield* StaffSessions
      const { authenticator, session } = yield* makeSignedIn()
      const { session: other } = yield* passkeys.use(
        undefined,
        authenticator.use(yield* passkeys.requestOptions(undefined))
      )
      const [raised] = yield* whileHeld(sessions.raise(other), [sessions.endOthers(session)])
      assert.isFalse(yield* isLiving(raised.token))
    })
  )

  it.effect("a pending session ends no others", () =>
    Effect.gen(function* () {
      const sessions = yield* StaffSessions
      const { token, ...member } = yield* makeSignedIn()
      yield* TestClock.adjust("31 seconds")
      const { session } = yield* signInByCode(member)
      assert.strictEqual(tagOf(yield* Effect.flip(sessions.endOthers(session))), "SecondFactorNeeded")
      assert.isTrue(yield* isLiving(token))
    })
  )

  it.effect("old sessions, challenges and sign-ins of devices are removed, and living ones are not", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const make = Effect.gen(function* () {
        yield* makeSignedIn()
        yield* (yield* Passkeys).requestOptions(undefined)
        yield* (yield* DeviceSignIns).start
      })
      const tables = ["staff_sessions", "passkey_challenges", "device_sign_ins"]
      const count = Effect.forEach(tables, (table) =>
        Effect.map(sql`SELECT FROM ${sql(table)}`, ({ length }) => length)
      )
      yield* TestClock.adjust("2 days")
      yield* removeOldRows(oldRows)
      assert.deepStrictEqual(yield* count, [0, 0, 0])
      yield* make
      yield* removeOldRows(oldRows)
      assert.deepStrictEqual(yield* count, [2, 1, 1])
      yield* TestClock.adjust("37 hours")
      yield* removeOldRows(oldRows)
      assert.deepStrictEqual(yield* count, [0, 0, 0])
    })
  )
})

layer(layerStaff({ codeMaxAttempts: 1000 }))("a locked member of staff", (it) => {
  it.effect("signs in with no code, also with one that was sent before", () =>
    Effect.gen(function* () {
      const signIn = yield* StaffSignIn
      const [member, other] = [yield* addMember(), yield* addMember()]
      const code = Option.getOrThrow(yield* codeFor(member))
      for (let attempt = 0; attempt < 20; attempt += 1) yield* Effect.flip(signIn.verifyCode(member.email, "none"))
      assert.strictEqual(tagOf(yield* Effect.flip(signIn.verifyCode(member.email, code))), "StaffCodeRejected")
      assert.strictEqual((yield* signInByCode(other)).session.userId, other.userId)
    })
  )
})
