import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin, call, expectAnswer } from "./harness/call.ts"
import { inDatabase, jobsDone } from "./harness/database.ts"
import { caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { SuiteTime } from "./harness/SuiteTime.ts"
import { codeMessagesTo, codeSentTo, refresh, sendCode, signIn, signOut, verifyCode } from "./harness/signIn.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

const refused = (status: number, error: string, code = "VALIDATION_ERROR") => ({ status, success: false, error, code })
const invalid = refused(400, "Validation failed")
const unknownKey = refused(404, "Organization not found", "NOT_FOUND")

testsOn(Suite.layer, "patients sign in", (it) => {
  const clinicWithPatient = Effect.gen(function* () {
    const clinic = yield* makeClinic
    const body = caseBody(clinic)
    yield* createCase(clinic, body)
    return { clinic, user: body.user }
  })

  const wrongFor = (code: string) => (code === "000000" ? "000001" : "000000")

  it("send-otp 200: by email and by SMS; in any spelling of the email", function* () {
    const { clinic, user } = yield* clinicWithPatient
    const firstCode = yield* sendCode(clinic.key, { email: ` ${user.email.toUpperCase()} `, channel: "EMAIL" })
    assert.strictEqual(firstCode.status, 200)
    assert.deepInclude(firstCode.json, { status: 200, success: true })
    assert.match(yield* codeSentTo(user.email), /^\d{6}$/)
    const [mail] = yield* codeMessagesTo(user.email)
    assert.deepInclude(mail, { channel: "EMAIL", subject: "Your verification code for Test clinic" })

    const other = yield* clinicWithPatient
    yield* sendCode(other.clinic.key, { phoneNumber: other.user.phoneNumber })
    assert.match(yield* codeSentTo(other.user.phoneNumber), /^\d{6}$/)
    assert.deepInclude((yield* codeMessagesTo(other.user.phoneNumber))[0], { channel: "SMS", subject: null })
  })

  it("send-otp 200: the same for nobody, for a patient of another organization and for staff; nothing goes out", function* () {
    const { clinic, user } = yield* clinicWithPatient
    const other = yield* makeClinic
    const member = { email: `staff.${clinic.organizationId}@example.com`, firstName: "A", lastName: "B" }
    yield* admin("POST", `/organizations/${clinic.organizationId}/members`, { ...member, role: "PROVIDER" })
    const first = yield* sendCode(clinic.key, { email: user.email })
    const nobody = `nobody.${clinic.organizationId}@example.com`
    for (const [key, email] of [
      [clinic.key, nobody],
      [other.key, user.email],
      [clinic.key, member.email]
    ] as const) {
      yield* expectAnswer(sendCode(key, { email }), first.status, first.json)
    }
    yield* jobsDone("auth", "code-sending")
    assert.strictEqual((yield* codeMessagesTo(user.email)).length, 1)
    assert.strictEqual((yield* codeMessagesTo(user.email.toUpperCase())).length, 1)
    assert.deepStrictEqual(yield* codeMessagesTo(nobody), [])
    assert.deepStrictEqual(yield* codeMessagesTo(member.email), [])
  })

  it("send-otp 200: within 30 seconds no second code goes out, and the first stays valid", function* () {
    const { clinic, user } = yield* clinicWithPatient
    yield* sendCode(clinic.key, { email: user.email })
    const code = yield* codeSentTo(user.email)
    for (const body of [{ email: user.email }, { phoneNumber: user.phoneNumber }]) {
      assert.strictEqual((yield* sendCode(clinic.key, body)).status, 200)
    }
    yield* jobsDone("auth", "code-sending")
    assert.strictEqual((yield* codeMessagesTo(user.email)).length, 1)
    assert.deepStrictEqual(yield* codeMessagesTo(user.phoneNumber), [])
    assert.strictEqual((yield* verifyCode(clinic.key, { email: user.email, code })).status, 200)
  })

  it("send-otp 200: 300 at once for one identifier are one job and one message", function* () {
    const { clinic, user } = yield* clinicWithPatient
    const jobs = inDatabase("auth", (sql) => sql`SELECT id FROM auth.jobs WHERE queue_name = 'code-sending'`)
    const before = (yield* jobs).length
    const answers = yield* Effect.all(
      Array.from({ length: 300 }, () => sendCode(clinic.key, { email: user.email })),
      { concurrency: 30 }
    )
    assert.deepStrictEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    assert.strictEqual(new Set(answers.map(({ json }) => JSON.stringify(json))).size, 1)
    yield* jobsDone("auth", "code-sending")
    assert.strictEqual((yield* jobs).length, before + 1)
    assert.strictEqual((yield* codeMessagesTo(user.email)).length, 1)
  })

  it("send-otp 200: whoever just signed in gets another code at once", function* () {
    const { clinic, user } = yield* clinicWithPatient
    const first = yield* signIn(clinic.key, user.email)
    assert.strictEqual((yield* signIn(clinic.key, user.email)).patientId, first.patientId)
  })

  it("send-otp 400: the documented body", function* () {
    const { clinic, user } = yield* clinicWithPatient
    for (const body of [
      {},
      [],
      { email: user.email, phoneNumber: user.phoneNumber },
      { email: "nobody" },
      { email: 7 },
      { phoneNumber: "4155552671" },
      { email: user.email, channel: "SMS" },
      { phoneNumber: user.phoneNumber, channel: "EMAIL" },
      { email: user.email, channel: "PIGEON" }
    ]) {
      yield* expectAnswer(sendCode(clinic.key, body), 400, invalid, JSON.stringify(body))
    }
  })

  it("verify-otp 200: tokens, not to be stored by anybody on the way", function* () {
    const { clinic, user } = yield* clinicWithPatient
    yield* sendCode(clinic.key, { email: user.email })
    const answer = yield* verifyCode(clinic.key, { email: user.email, code: yield* codeSentTo(user.email) })
    assert.strictEqual(answer.status, 200)
    assert.strictEqual(answer.headers.get("cache-control"), "no-store")
    assert.hasAllKeys(answer.json, [
      "status",
      "success",
      "accessToken",
      "expiresIn",
      "refreshToken",
      "refreshTokenExpiresAt",
      "patientId"
    ])
    assert.deepInclude(answer.json, { status: 200, success: true, expiresIn: 900 })
    const claims = JSON.parse(Buffer.from(answer.json.accessToken.split(".")[1], "base64url").toString())
    assert.deepInclude(claims, {
      userId: answer.json.patientId,
      organizationId: clinic.organizationId,
      type: "patient-portal",
      role: "USER",
      organizationAccessRole: "USER"
    })
    const days = (Date.parse(answer.json.refreshTokenExpiresAt) - claims.iat * 1000) / 86_400_000
    assert.approximately(days, 30, 0.01)
  })

  it("verify-otp 400: the documented body, and no attempt is counted", function* () {
    const { clinic, user } = yield* clinicWithPatient
    yield* sendCode(clinic.key, { email: user.email })
    const code = yield* codeSentTo(user.email)
    for (const body of [
      { email: user.email },
      { email: user.email, code: "12345" },
      { email: user.email, code: "1234567" },
      { email: user.email, code: "12345a" },
      { email: user.email, code: 123456 },
      { code },
      { email: user.email, phoneNumber: user.phoneNumber, code }
    ]) {
      yield* expectAnswer(verifyCode(clinic.key, body), 400, invalid, JSON.stringify(body))
    }
    yield* expectAnswer(call("POST", "/api/v1/users/auth/verify-otp", { key: clinic.key, raw: "{" }), 400, invalid)
    assert.strictEqual((yield* verifyCode(clinic.key, { email: user.email, code })).status, 200)
  })

  it("verify-otp 401: every documented message", function* () {
    const { clinic, user } = yield* clinicWithPatient
    const other = yield* makeClinic
    const tried = Effect.fnUntraced(function* (key: string, body: unknown, message: string) {
      yield* expectAnswer(verifyCode(key, body), 401, refused(401, message))
    })
    yield* tried(clinic.key, { email: user.email, code: "123456" }, "Invalid or expired verification code")
    yield* sendCode(clinic.key, { email: user.email })
    const code = yield* codeSentTo(user.email)
    yield* tried(clinic.key, { email: "nobody@example.com", code }, "Invalid credentials")
    yield* tried(other.key, { email: user.email, code }, "Invalid credentials")
    yield* tried(clinic.key, { phoneNumber: user.phoneNumber, code }, "Invalid or expired verification code")
    yield* tried(clinic.key, { email: user.email, code: wrongFor(code) }, "Invalid verification code")
    assert.strictEqual((yield* verifyCode(clinic.key, { email: user.email, code })).status, 200)
    yield* tried(clinic.key, { email: user.email, code }, "Invalid or expired verification code")
  })

  it("verify-otp 401: after 20 wrong attempts in a day also the right code is a wrong one; the operator is told", function* () {
    const { clinic, user } = yield* clinicWithPatient
    yield* sendCode(clinic.key, { email: user.email })
    const code = yield* codeSentTo(user.email)
    const [patient] = yield* inDatabase(
      "auth",
      (sql) => sql<{ user_id: string }>`
          UPDATE auth.one_time_codes SET wrong_at = array_fill(now(), ARRAY[19])
          WHERE organization_id = ${clinic.organizationId} AND identifier = ${user.email} RETURNING user_id
        `
    )
    const wrong = refused(401, "Invalid verification code")
    for (const tried of [wrongFor(code), code, code]) {
      yield* expectAnswer(verifyCode(clinic.key, { email: user.email, code: tried }), 401, wrong)
    }
    assert.strictEqual((yield* sendCode(clinic.key, { phoneNumber: user.phoneNumber })).status, 200)
    yield* jobsDone("auth", "code-sending")
    assert.strictEqual((yield* codeMessagesTo(user.email)).length, 1)
    assert.deepStrictEqual(yield* codeMessagesTo(user.phoneNumber), [])

    const { output, urls } = yield* Suite
    const messages = yield* until(
      Effect.sync(() => output.join("\n").split("A patient is locked").slice(1)),
      (warnings) => warnings.some((warning) => warning.includes(patient?.user_id ?? "none"))
    )
    assert.strictEqual(messages.length, 1)
    assert.include(messages[0], clinic.organizationId)
    const metrics = yield* Effect.promise(() => fetch(`${urls.auth}/metrics`).then((answer) => answer.text()))
    assert.include(metrics, 'one_time_code_caps_reached_total{cap="wrong_attempts_per_day",mode="live"} 1')
  })

  it("20 callers with one code: exactly one 200, the others 401", function* () {
    const { clinic, user } = yield* clinicWithPatient
    yield* sendCode(clinic.key, { email: user.email })
    const code = yield* codeSentTo(user.email)
    const answers = yield* Effect.all(
      Array.from({ length: 20 }, () => verifyCode(clinic.key, { email: user.email, code })),
      { concurrency: "unbounded" }
    )
    assert.strictEqual(answers.filter(({ status }) => status === 200).length, 1)
    for (const { json, status } of answers.filter(({ status }) => status !== 200)) {
      assert.strictEqual(status, 401)
      assert.include(["Invalid or expired verification code", "Verification code already used"], json.error)
    }
  })

  it("refresh-token 200: new tokens for the same patient, not to be stored", function* () {
    const { clinic, user } = yield* clinicWithPatient
    const first = yield* signIn(clinic.key, user.email)
    const answer = yield* refresh(clinic.key, first.refreshToken)
    assert.strictEqual(answer.status, 200)
    assert.strictEqual(answer.headers.get("cache-control"), "no-store")
    assert.hasAllKeys(answer.json, Object.keys(first))
    assert.strictEqual(answer.json.patientId, first.patientId)
    assert.notStrictEqual(answer.json.refreshToken, first.refreshToken)
  })

  it("refresh-token 400: the documented body", function* () {
    const { clinic } = yield* clinicWithPatient
    for (const token of [undefined, null, "", "  ", 7]) {
      yield* expectAnswer(refresh(clinic.key, token), 400, invalid, String(token))
    }
  })

  it("refresh-token 401: unknown, of another organization, of a deleted user, used before", function* () {
    const { clinic, user } = yield* clinicWithPatient
    const other = yield* makeClinic
    const tried = Effect.fnUntraced(function* (key: string, token: string, message: string, code: string) {
      yield* expectAnswer(refresh(key, token), 401, refused(401, message, code))
    })
    yield* tried(clinic.key, "never issued", "Refresh token not recognized", "REFRESH_INVALID")
    const first = yield* signIn(clinic.key, user.email)
    const foreign = "Refresh token does not belong to this organization"
    yield* tried(other.key, first.refreshToken, foreign, "REFRESH_INVALID")
    const second = (yield* refresh(clinic.key, first.refreshToken)).json
    yield* tried(clinic.key, first.refreshToken, "Refresh token has already been used", "REFRESH_REUSED")
    yield* tried(clinic.key, second.refreshToken, "Refresh token has already been used", "REFRESH_REUSED")

    const later = yield* clinicWithPatient
    const third = yield* signIn(later.clinic.key, later.user.email)
    assert.strictEqual((yield* admin("DELETE", `/users/${third.patientId}`)).status, 204)
    yield* tried(later.clinic.key, third.refreshToken, "User no longer exists", "REFRESH_INVALID")
  })

  it("refresh-token 401: not refreshed for 30 days, and 90 days after the sign-in", function* () {
    const { clinic, user } = yield* clinicWithPatient
    const { patientId, refreshToken } = yield* signIn(clinic.key, user.email)
    yield* inDatabase(
      "auth",
      (sql) => sql`
          UPDATE auth.refresh_token_families SET absolute_expires_at = now() - interval '1 second'
          WHERE user_id = ${patientId}
        `
    )
    yield* expectAnswer(
      refresh(clinic.key, refreshToken),
      401,
      refused(401, "Refresh token absolute lifetime exceeded", "REFRESH_ABSOLUTE_EXPIRED")
    )
    yield* inDatabase(
      "auth",
      (sql) => sql`
          UPDATE auth.refresh_tokens SET expires_at = now() - interval '1 second'
          WHERE family_id IN (SELECT id FROM auth.refresh_token_families WHERE user_id = ${patientId})
        `
    )
    yield* expectAnswer(
      refresh(clinic.key, refreshToken),
      401,
      refused(401, "Refresh token has expired", "REFRESH_EXPIRED")
    )
  })

  it("20 callers with one refresh token: exactly one 200, and then the family is revoked", function* () {
    const { clinic, user } = yield* clinicWithPatient
    const { refreshToken } = yield* signIn(clinic.key, user.email)
    const answers = yield* Effect.all(
      Array.from({ length: 20 }, () => refresh(clinic.key, refreshToken)),
      { concurrency: "unbounded" }
    )
    const winners = answers.filter(({ status }) => status === 200)
    assert.strictEqual(winners.length, 1)
    for (const { json } of answers.filter(({ status }) => status !== 200)) {
      assert.strictEqual(json.code, "REFRESH_REUSED")
    }
    assert.strictEqual((yield* refresh(clinic.key, winners[0]?.json.refreshToken)).json.code, "REFRESH_REUSED")
  })

  it("logout 200: ends the sign-in; also for an unknown token and, without effect, for another's", function* () {
    const { clinic, user } = yield* clinicWithPatient
    const other = yield* makeClinic
    const { refreshToken } = yield* signIn(clinic.key, user.email)
    assert.strictEqual((yield* signOut(other.key, refreshToken)).status, 200)
    const next = (yield* refresh(clinic.key, refreshToken)).json.refreshToken
    const out = yield* signOut(clinic.key, next)
    assert.deepStrictEqual([out.status, out.json.success], [200, true])
    assert.deepStrictEqual((yield* signOut(clinic.key, "never issued")).json, out.json)
    assert.strictEqual((yield* refresh(clinic.key, next)).status, 401)
  })

  it("logout 400: the documented body", function* () {
    const { clinic } = yield* clinicWithPatient
    yield* expectAnswer(signOut(clinic.key, ""), 400, invalid)
  })

  it("a disabled organization's patients can neither sign in nor refresh within 5 seconds", function* () {
    const { clinic, user } = yield* clinicWithPatient
    const { refreshToken } = yield* signIn(clinic.key, user.email)
    yield* admin("PATCH", `/organizations/${clinic.organizationId}`, { isDisabled: true })
    yield* (yield* SuiteTime).advance("5 seconds")
    for (const answer of [
      yield* sendCode(clinic.key, { email: user.email }),
      yield* refresh(clinic.key, refreshToken)
    ]) {
      assert.deepStrictEqual([answer.status, answer.json], [404, unknownKey])
    }
  })

  it("the mailbox has no channel that there is not: 400", function* () {
    const bad = yield* admin("GET", "/messages?channel=pigeon")
    assert.strictEqual(bad.status, 400)
    assert.strictEqual((yield* admin("GET", "/messages?channel=sms")).status, 200)
  })
})
