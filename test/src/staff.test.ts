import { operationUnknown } from "@care/domain/http"
import { platformId } from "@care/domain/ids"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { type Answer, admin, call } from "./harness/call.ts"
import { inDatabase, jobsDone } from "./harness/database.ts"
import { addStaff, caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { codeMessagesTo, codeSentTo, codesSentTo, messagesTo, sendCode } from "./harness/signIn.ts"
import { asStaff, cookieOf, enrolPasskey, signInStaff, usePasskey } from "./harness/staff.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

const codeOf = ({ json, status }: Answer) => [status, json?.code]

let people = 0

const newEmail = () => {
  people += 1
  return `member.${people}@clinic.example.com`
}

testsOn(Suite.shared, "staff sign in", (it) => {
  const makeMember = Effect.fnUntraced(function* (changes: object = {}) {
    const clinic = yield* makeClinic
    const email = newEmail()
    return { clinic, email, userId: yield* addStaff(clinic, { email, ...changes }) }
  })

  const makeSignedIn = Effect.fnUntraced(function* (changes: object = {}) {
    const member = yield* makeMember(changes)
    const { answer, authenticator } = yield* enrolPasskey(cookieOf(yield* signInStaff(member.email)))
    return { ...member, authenticator, cookie: cookieOf(answer), recoveryCodes: answer.json.recoveryCodes }
  })

  const statusOf = (cookie: string) => Effect.map(asStaff("GET", "/session", cookie), ({ status }) => status)

  it("with a code and then a passkey, and later with the passkey alone; each step has a cookie of its own", function* () {
    const { clinic, email, userId } = yield* makeMember({ role: "SUPPORT" })
    const pending = yield* signInStaff(email)
    assert.strictEqual(pending.status, 201)
    assert.match(
      pending.headers.get("set-cookie") ?? "",
      /^care_staff=cs_c1_\w{38}; Max-Age=900; Path=\/; HttpOnly; SameSite=Strict$/
    )
    const unproved = { idleSeconds: 1800, hasPasskeys: false, recoveryCodesLeft: 0, draftKey: null, steppedUpAt: null }
    assert.deepInclude(pending.json, { state: "PENDING", ...unproved })
    assert.deepInclude(pending.json.user, { id: userId, email, role: "SUPPORT" })
    assert.deepStrictEqual(pending.json.organization, { id: clinic.organizationId, name: "Test clinic" })
    assert.notInclude(JSON.stringify(pending.json), "cs_")
    for (const path of ["/sessions", "/session/passkeys"]) {
      const refused = codeOf(yield* asStaff("GET", path, cookieOf(pending)))
      assert.deepStrictEqual(refused, [403, "SECOND_FACTOR_NEEDED"], path)
    }

    const { answer, authenticator } = yield* enrolPasskey(cookieOf(pending))
    assert.strictEqual(answer.status, 201)
    assert.lengthOf(answer.json.recoveryCodes, 10)
    assert.deepInclude(answer.json.session, { state: "ACTIVE", hasPasskeys: true, recoveryCodesLeft: 10 })
    assert.strictEqual(yield* statusOf(cookieOf(pending)), 401)
    assert.strictEqual((yield* asStaff("GET", "/sessions", cookieOf(answer))).status, 200)

    const again = yield* usePasskey(authenticator)
    assert.strictEqual(again.status, 200)
    assert.deepInclude(again.json, { state: "ACTIVE", draftKey: answer.json.session.draftKey })
    assert.lengthOf((yield* asStaff("GET", "/sessions", cookieOf(again))).json.data, 2)

    const steppedUp = yield* usePasskey(authenticator, cookieOf(again))
    assert.notStrictEqual(steppedUp.json.sessionId, again.json.sessionId)
    assert.strictEqual(yield* statusOf(cookieOf(again)), 401)

    const signedOut = yield* asStaff("DELETE", "/session", cookieOf(steppedUp))
    assert.match(signedOut.headers.get("set-cookie") ?? "", /^care_staff=; Max-Age=0;/)
    assert.strictEqual(yield* statusOf(cookieOf(steppedUp)), 401)
  })

  it("a request for a code is answered the same for everybody, and only active staff get one", function* () {
    const { clinic, email } = yield* makeMember()
    const body = caseBody(clinic)
    yield* createCase(clinic, body)
    const gone = yield* makeMember()
    yield* admin("DELETE", `/users/${gone.userId}`)
    const disabled = yield* makeMember()
    yield* admin("PATCH", `/organizations/${disabled.clinic.organizationId}`, { isDisabled: true })
    const others = ["nobody@clinic.example.com", body.user.email, gone.email, disabled.email]
    for (const to of [email, ...others]) {
      const answer = yield* asStaff("POST", "/session/code", undefined, { body: { email: to } })
      assert.deepStrictEqual([answer.status, answer.json], [204, undefined])
    }
    yield* codeSentTo(email)
    yield* jobsDone("auth", "staff-code-request")
    yield* jobsDone("auth", "code-sending")
    for (const to of others) assert.deepStrictEqual(yield* codeMessagesTo(to), [], to)
    const wrong = { email, code: "000000" }
    for (const to of others) {
      const refused = yield* asStaff("POST", "/session", undefined, { body: { ...wrong, email: to } })
      assert.deepStrictEqual([refused.status, refused.json.title], [401, "Code refused"], to)
    }
  })

  it("a person of several organizations gets a code of each, in a message that names it", function* () {
    const { email } = yield* makeMember()
    const other = yield* makeClinic
    yield* admin("PATCH", `/organizations/${other.organizationId}`, { name: "Second clinic" })
    yield* addStaff(other, { email })
    // A patient of a third organization with this email gets none.
    const third = yield* makeClinic
    yield* createCase(third, caseBody(third, { user: { ...caseBody(third).user, email } }))
    yield* asStaff("POST", "/session/code", undefined, { body: { email } })
    const messages = yield* until(codeMessagesTo(email), ({ length }) => length === 2)
    assert.sameMembers(
      messages.map(({ subject }) => subject),
      ["Your verification code for Test clinic", "Your verification code for Second clinic"]
    )
    const ofSecond = messages.find(({ subject }) => subject?.includes("Second"))
    const code = /\b\d{6}\b/.exec(ofSecond?.text ?? "")?.[0]
    const signedIn = yield* asStaff("POST", "/session", undefined, { body: { email, code } })
    assert.strictEqual(signedIn.json.organization.name, "Second clinic")
    // The code of a patient is none of staff.
    yield* sendCode(third.key, { email })
    const all = yield* until(codeMessagesTo(email), ({ length }) => length === 3)
    const ofPatient = all.find((message) => !messages.some(({ text }) => text === message.text))
    const patientsCode = /\b\d{6}\b/.exec(ofPatient?.text ?? "")?.[0]
    const refused = yield* asStaff("POST", "/session", undefined, { body: { email, code: patientsCode } })
    assert.strictEqual(refused.status, 401)
  })

  it("a request that a timer made is no use of the session, and one that a person made is, right after it", function* () {
    const { cookie, userId } = yield* makeSignedIn({ role: "SUPPORT" })
    const isUsed = Effect.fnUntraced(function* (path: string, headers: Readonly<Record<string, string>>) {
      assert.strictEqual((yield* asStaff("GET", path, cookie, { headers })).status, 200)
      const rows = yield* inDatabase(
        "auth",
        (sql) => sql`
          SELECT id FROM auth.staff_sessions
          WHERE user_id = ${userId} AND ended_at IS NULL AND last_used_at > now() - interval '1 minute'
        `
      )
      return rows.length === 1
    })
    // Auth checks the session of the first, and the gateway that of the second.
    for (const path of ["/session", "/cases"]) {
      yield* inDatabase(
        "auth",
        (sql) => sql`
          UPDATE auth.staff_sessions SET last_used_at = now() - interval '2 minutes' WHERE user_id = ${userId}
        `
      )
      assert.isFalse(yield* isUsed(path, { "care-unattended": "true" }), path)
      assert.isTrue(yield* isUsed(path, {}), path)
    }
  })

  it("sessions name their browser and passkey in words, and nothing else of the header is stored", function* () {
    const { authenticator, cookie, email, userId } = yield* makeSignedIn({ role: "SUPPORT" })
    const from = (userAgent: string) => ({ headers: { "user-agent": userAgent } })
    const firefox = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"
    const known = yield* codesSentTo(email)
    yield* asStaff("POST", "/session/code", undefined, { body: { email } })
    const code = yield* codeSentTo(email, known)
    yield* asStaff("POST", "/session", undefined, { body: { email, code }, ...from(firefox) })
    const options = (yield* asStaff("POST", "/session/passkeys/assertion?cell=c1", undefined)).json
    const safari = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Version/18.1 Mobile/15E148 Safari/604.1"
    const body = authenticator.use(options)
    yield* asStaff("POST", "/session/passkeys/assert?cell=c1", undefined, { body, ...from(safari) })
    const device = (yield* call("POST", "/admin/v1/session/device")).json
    yield* asStaff("POST", "/session/device/approve", cookie, { body: { userCode: device.userCode, isApproved: true } })
    yield* call("POST", "/admin/v1/session/device/token", {
      body: { deviceCode: device.deviceCode },
      ...from("care (linux)")
    })
    const listed = (yield* asStaff("GET", "/sessions", cookie)).json.data
    assert.deepStrictEqual(
      listed.map(({ client, kind, passkeyName }: Readonly<Record<string, unknown>>) => [kind, client, passkeyName]),
      [
        ["CLI", "care login on Linux", null],
        ["BROWSER", "Safari on iPhone", "Laptop"],
        ["BROWSER", "Firefox on Windows", null],
        ["BROWSER", null, "Laptop"]
      ]
    )
    const rows = yield* inDatabase("auth", (sql) => sql`SELECT * FROM auth.staff_sessions WHERE user_id = ${userId}`)
    for (const word of ["Gecko", "Win64", "140.0"]) assert.notInclude(JSON.stringify(rows), word)
  })

  it("a session ends with its member", function* () {
    const { cookie, userId } = yield* makeSignedIn()
    assert.strictEqual(yield* statusOf(cookie), 200)
    yield* admin("DELETE", `/users/${userId}`)
    assert.strictEqual(yield* statusOf(cookie), 401)
  })

  it("an administrator sees and ends sessions of the organization, and of no other", function* () {
    const { clinic, cookie } = yield* makeSignedIn({ role: "ADMIN" })
    const email = newEmail()
    const userId = yield* addStaff(clinic, { email })
    const member = yield* signInStaff(email)
    const stranger = yield* makeSignedIn()
    const listed = yield* asStaff("GET", `/sessions?userId=${userId}`, cookie)
    assert.deepStrictEqual(
      listed.json.data.map(({ id }: { readonly id: string }) => id),
      [member.json.sessionId]
    )
    assert.strictEqual((yield* asStaff("GET", `/sessions?userId=${stranger.userId}`, cookie)).status, 404)
    const [own] = (yield* asStaff("GET", "/sessions", stranger.cookie)).json.data
    assert.strictEqual((yield* asStaff("DELETE", `/sessions/${own.id}`, cookie)).status, 404)
    assert.strictEqual((yield* asStaff("DELETE", `/sessions/${member.json.sessionId}`, stranger.cookie)).status, 404)
    assert.strictEqual((yield* asStaff("DELETE", `/sessions/${member.json.sessionId}`, cookie)).status, 204)
    assert.strictEqual(yield* statusOf(cookieOf(member)), 401)
    assert.strictEqual(yield* statusOf(stranger.cookie), 200)
  })

  it("new recovery codes take the place of the older ones, shortly after a passkey was used", function* () {
    const { authenticator, cookie, email, recoveryCodes } = yield* makeSignedIn()
    const renew = (as: string | undefined) => asStaff("POST", "/session/recovery-codes", as)
    const { json, status } = yield* renew(cookie)
    assert.deepStrictEqual([status, json.data.length], [201, 10])
    const pending = cookieOf(yield* signInStaff(email))
    assert.deepStrictEqual(codeOf(yield* renew(pending)), [403, "SECOND_FACTOR_NEEDED"])
    assert.deepStrictEqual(codeOf(yield* renew(undefined)), [401, "SIGN_IN"])
    const recover = (code: string) => asStaff("POST", "/session/recovery", pending, { body: { code } })
    assert.strictEqual((yield* recover(recoveryCodes[0])).status, 401)
    const recovered = yield* recover(json.data[0])
    assert.deepInclude(recovered.json, { state: "ACTIVE", recoveryCodesLeft: 9 })
    yield* inDatabase(
      "auth",
      (sql) => sql`UPDATE auth.staff_sessions SET stepped_up_at = now() - interval '5 minutes'
      WHERE id = ${recovered.json.sessionId}`
    )
    assert.deepStrictEqual(codeOf(yield* renew(cookieOf(recovered))), [403, "STEP_UP_NEEDED"])
    assert.strictEqual((yield* renew(cookieOf(yield* usePasskey(authenticator, cookieOf(recovered))))).status, 201)
  })

  it("a person ends all of their other sessions, and with a code alone none", function* () {
    const { authenticator, cookie, email } = yield* makeSignedIn()
    const colleague = yield* makeSignedIn()
    const others = [cookieOf(yield* usePasskey(authenticator)), cookieOf(yield* signInStaff(email))]
    const end = (as: string | undefined) => asStaff("DELETE", "/sessions", as)
    assert.deepStrictEqual(codeOf(yield* end(others[1])), [403, "SECOND_FACTOR_NEEDED"])
    assert.deepStrictEqual(codeOf(yield* end(undefined)), [401, "SIGN_IN"])
    const crossSite = { headers: { origin: "https://evil.example" } }
    assert.deepStrictEqual(codeOf(yield* asStaff("DELETE", "/sessions", cookie, crossSite)), [403, "CROSS_SITE"])
    const ended = yield* end(cookie)
    assert.deepStrictEqual([ended.status, ended.json], [204, undefined])
    for (const other of others) assert.strictEqual(yield* statusOf(other), 401)
    for (const kept of [cookie, colleague.cookie]) assert.strictEqual(yield* statusOf(kept), 200)
    assert.lengthOf((yield* asStaff("GET", "/sessions", cookie)).json.data, 1)
  })

  it("in development the newest valid code of a member of staff can be read, and none of a patient", function* () {
    const { email } = yield* makeMember()
    const read = (to: unknown, headers = {}) =>
      asStaff("POST", "/session/mailbox", undefined, { body: { email: to }, headers })
    assert.deepStrictEqual((yield* read(email)).json, { data: null })
    // A patient with the email of a member of staff, and one without.
    const clinic = yield* makeClinic
    const body = caseBody(clinic)
    for (const user of [{ ...body.user, email }, caseBody(clinic).user]) {
      yield* createCase(clinic, caseBody(clinic, { user }))
      yield* sendCode(clinic.key, { email: user.email })
      yield* until(codeMessagesTo(user.email), ({ length }) => length === 1)
      assert.deepStrictEqual((yield* read(user.email)).json, { data: null })
    }
    const known = yield* codesSentTo(email)
    yield* asStaff("POST", "/session/code", undefined, { body: { email } })
    const code = yield* codeSentTo(email, known)
    const found = yield* read(email.toUpperCase())
    assert.deepStrictEqual([found.status, found.json.data.code], [200, code])
    assert.isBelow(Math.abs(Date.now() - new Date(found.json.data.sentAt).getTime()), 60_000)
    assert.deepStrictEqual(codeOf(yield* read(email, { origin: "https://evil.example" })), [403, "CROSS_SITE"])
    for (const wrong of ["nobody", "", null, [email], undefined]) {
      assert.strictEqual((yield* read(wrong)).status, 400, String(wrong))
    }
    yield* asStaff("POST", "/session", undefined, { body: { email, code } })
    assert.deepStrictEqual((yield* read(email)).json, { data: null })
  })

  it("a recovery code completes a sign-in, and a reset ends all of it with a message", function* () {
    const { cookie, email, recoveryCodes, userId } = yield* makeSignedIn()
    const pending = yield* signInStaff(email)
    const recover = (code: string) => asStaff("POST", "/session/recovery", cookieOf(pending), { body: { code } })
    assert.strictEqual((yield* recover("00000-00000")).status, 401)
    const recovered = yield* recover(recoveryCodes[0])
    assert.deepInclude(recovered.json, { state: "ACTIVE" })
    assert.strictEqual((yield* admin("POST", `/users/${userId}/reset-sign-in`)).status, 204)
    for (const former of [cookie, cookieOf(recovered)]) assert.strictEqual(yield* statusOf(former), 401)
    yield* until(messagesTo(email), (messages) =>
      messages.some(({ subject }) => subject === "Your sign-in at Test clinic was reset")
    )
    const { answer } = yield* enrolPasskey(cookieOf(yield* signInStaff(email)))
    assert.lengthOf(answer.json.recoveryCodes, 10)
    const { clinic } = yield* makeMember()
    const body = caseBody(clinic)
    const caseId: string = (yield* createCase(clinic, body)).json.data.caseId
    const { json } = yield* admin("GET", `/cases/${caseId}`)
    for (const id of [json.submitter.id, "3b241101-e2bb-4255-8caf-4136c566a962"]) {
      assert.strictEqual((yield* admin("POST", `/users/${id}/reset-sign-in`)).status, 404)
    }
  })

  it("operators are members of the platform alone, which is in no list of organizations", function* () {
    const email = newEmail()
    const invited = yield* admin("POST", "/operators", { email, firstName: "Ada", lastName: "Byron" })
    assert.deepInclude(invited.json, { email, role: "OPERATOR" })
    assert.strictEqual((yield* admin("POST", "/operators", { email, firstName: "A", lastName: "B" })).status, 409)
    assert.include(JSON.stringify((yield* admin("GET", "/operators?limit=100")).json.data), email)
    const signedIn = yield* signInStaff(email)
    assert.deepInclude(signedIn.json.organization, { id: platformId, name: "Platform" })
    for (const [method, path, body] of [
      ["GET", "", undefined],
      ["PATCH", "", { isDisabled: true }],
      ["POST", "/api-keys", {}],
      ["GET", "/api-keys", undefined],
      ["POST", "/members", { email: newEmail(), firstName: "A", lastName: "B", role: "ADMIN" }],
      ["POST", "/products", { name: "Program" }]
    ] as const) {
      const { status } = yield* admin(method, `/organizations/${platformId}${path}`, body)
      assert.strictEqual(status, 404, `${method} ${path}`)
    }
    const clinic = yield* makeClinic
    const asOperator = { email: newEmail(), firstName: "A", lastName: "B", role: "OPERATOR" }
    const refused = yield* admin("POST", `/organizations/${clinic.organizationId}/members`, asOperator)
    assert.strictEqual(refused.status, 400)
    const ids = yield* inDatabase("auth", (sql) => sql`SELECT id FROM auth.organizations WHERE id = ${platformId}`)
    assert.lengthOf(ids, 1)
    for (let cursor: string | null = ""; cursor !== null; ) {
      const { json }: Answer = yield* admin(
        "GET",
        `/organizations?limit=100${cursor === "" ? "" : `&cursor=${cursor}`}`
      )
      assert.notInclude(JSON.stringify(json.data), platformId)
      cursor = json.nextCursor
    }
    // One operator always stays.
    yield* admin("POST", "/operators", { email: newEmail(), firstName: "Olga", lastName: "Petrova" })
    assert.strictEqual((yield* admin("DELETE", `/operators/${invited.json.id}`)).status, 204)
    assert.strictEqual(yield* statusOf(cookieOf(signedIn)), 401)
    assert.notInclude(JSON.stringify((yield* admin("GET", "/operators?limit=100")).json.data), email)
  })

  it("a device gets a token of its own when a person approves its code, and the token works as a bearer token", function* () {
    const { cookie, userId } = yield* makeSignedIn()
    const device = (yield* call("POST", "/admin/v1/session/device")).json
    const ask = call("POST", "/admin/v1/session/device/token", { body: { deviceCode: device.deviceCode } })
    assert.deepInclude((yield* ask).json, { status: 409, title: "Not approved yet" })
    const tooFast = yield* ask
    assert.deepStrictEqual([tooFast.status, tooFast.headers.get("retry-after")], [429, "5"])
    const body = { userCode: device.userCode, isApproved: true }
    assert.strictEqual((yield* asStaff("POST", "/session/device/approve", cookie, { body })).status, 204)
    yield* inDatabase("auth", (sql) => sql`UPDATE auth.device_sign_ins SET asked_at = asked_at - interval '5 seconds'`)
    const { token } = (yield* ask).json
    const bearer = { headers: { authorization: `Bearer ${token}` } }
    const whoAmI = yield* call("GET", "/admin/v1/session", bearer)
    assert.deepInclude(whoAmI.json.user, { id: userId })
    assert.strictEqual((yield* call("DELETE", "/admin/v1/session", bearer)).status, 204)
    assert.strictEqual((yield* call("GET", "/admin/v1/session", bearer)).status, 401)
  })

  it("what a session changes with a cookie comes from the console, and so does a sign-in from a browser", function* () {
    const { cookie, email } = yield* makeSignedIn()
    const refused = [403, "CROSS_SITE"]
    const asPage = (method: string, path: string, headers: Readonly<Record<string, string>>, body?: object) =>
      Effect.map(call(method, `/admin/v1/session${path}`, { headers, body }), codeOf)
    const { urls } = yield* Suite
    for (const headers of [
      {},
      { "sec-fetch-site": "same-origin" },
      { origin: "null" },
      { origin: `${urls.gateway}.example` },
      { origin: urls.gateway, "sec-fetch-site": "same-site" },
      { origin: urls.gateway, "sec-fetch-site": "none" }
    ]) {
      for (const path of ["", "/passkeys/assertion"]) {
        const method = path === "" ? "DELETE" : "POST"
        assert.deepStrictEqual(yield* asPage(method, path, { cookie, ...headers }), refused, JSON.stringify(headers))
      }
    }
    assert.strictEqual(yield* statusOf(cookie), 200)

    // A page of an attacker must not sign its visitor in with the attacker's code.
    const known = yield* codesSentTo(email)
    yield* asStaff("POST", "/session/code", undefined, { body: { email } })
    const code = yield* codeSentTo(email, known)
    for (const headers of [{ origin: "https://evil.example" }, { "sec-fetch-site": "cross-site" }]) {
      assert.deepStrictEqual(yield* asPage("POST", "", headers, { email, code }), refused)
    }
    assert.deepStrictEqual(yield* asPage("POST", "", { origin: urls.gateway }, { email, code }), [201, undefined])
  })

  it("of two cookies none counts, and a request with another credential has none", function* () {
    const [one, other] = [yield* makeSignedIn(), yield* makeSignedIn()]
    for (const both of [`${one.cookie}; ${other.cookie}`, `${one.cookie}; ${one.cookie}`]) {
      assert.deepStrictEqual(codeOf(yield* asStaff("GET", "/session", both)), [401, "SIGN_IN"])
      assert.deepStrictEqual(codeOf(yield* asStaff("DELETE", "/session", both)), [401, "SIGN_IN"])
    }
    for (const authorization of ["Basic eDp5", "Bearer wrong", ""]) {
      const headers = { authorization }
      assert.deepStrictEqual(codeOf(yield* asStaff("GET", "/session", one.cookie, { headers })), [401, "SIGN_IN"])
    }
    assert.strictEqual(yield* statusOf(one.cookie), 200)
  })

  it("emails with other receivers, codes of other digits and tokens of any length are refused, and send nothing", function* () {
    const { email } = yield* makeMember()
    const emails = [
      `${email}\r\nBcc: evil@evil.example`,
      `${email}\nSubject: Hello`,
      `${email},evil@evil.example`,
      `${email};evil@evil.example`,
      `<${email}>`,
      `evil@evil.example <${email}>`,
      `${email}\u0000`,
      `${email}\u200b`,
      `${"a".repeat(250)}@example.com`,
      `a@${"b.".repeat(10_000)}com`,
      "",
      null,
      [email],
      { email }
    ]
    for (const hostile of emails) {
      for (const [path, body] of [
        ["/session/code", { email: hostile }],
        ["/session", { email: hostile, code: "123456" }]
      ] as const) {
        const { status } = yield* asStaff("POST", path, undefined, { body })
        assert.strictEqual(status, 400, JSON.stringify(hostile).slice(0, 80))
      }
    }
    for (const code of [
      "12345",
      "1234567",
      "123456\n",
      "\u0661\u0662\u0663\u0664\u0665\u0666",
      "12 456",
      123456,
      null
    ]) {
      const { status } = yield* asStaff("POST", "/session", undefined, { body: { email, code } })
      assert.strictEqual(status, 400, String(code))
    }
    for (const length of [0, 1, 44, 4000, 12_000]) {
      const token = `cs_c1_${"a".repeat(length)}`
      assert.strictEqual(yield* statusOf(`care_staff=${token}`), 401, String(length))
      const bearer = { headers: { authorization: `Bearer ${token}` } }
      assert.strictEqual((yield* call("GET", "/admin/v1/session", bearer)).status, 401, String(length))
      assert.strictEqual((yield* call("GET", "/admin/v1/cases", bearer)).status, 401, String(length))
    }
    yield* jobsDone("auth", "staff-code-request")
    assert.deepStrictEqual(yield* codeMessagesTo(email), [])
  })

  it("a session that was planted in a browser is not raised by a sign-in there, and ends with it", function* () {
    const attacker = yield* makeMember()
    const planted = cookieOf(yield* signInStaff(attacker.email))
    const victim = yield* makeMember()
    const known = yield* codesSentTo(victim.email)
    yield* asStaff("POST", "/session/code", planted, { body: { email: victim.email } })
    const body = { email: victim.email, code: yield* codeSentTo(victim.email, known) }
    const signedIn = yield* asStaff("POST", "/session", planted, { body })
    assert.strictEqual(signedIn.json.user.id, victim.userId)
    assert.notStrictEqual(cookieOf(signedIn), planted)
    assert.strictEqual(yield* statusOf(planted), 401)
  })

  it("a member who is removed while they sign in has no session after that", function* () {
    for (let round = 0; round < 5; round += 1) {
      const { email, userId } = yield* makeMember()
      const known = yield* codesSentTo(email)
      yield* asStaff("POST", "/session/code", undefined, { body: { email } })
      const body = { email, code: yield* codeSentTo(email, known) }
      const [answer] = yield* Effect.all(
        [asStaff("POST", "/session", undefined, { body }), admin("DELETE", `/users/${userId}`)],
        { concurrency: "unbounded" }
      )
      assert.include([201, 401], answer.status)
      if (answer.status === 201) assert.strictEqual(yield* statusOf(cookieOf(answer)), 401)
    }
  })

  it("over HTTPS the cookie is for this host alone, and another cookie is no session", function* () {
    const { email } = yield* makeMember()
    const insecure = yield* signInStaff(email)
    const token = cookieOf(insecure).slice("care_staff=".length)
    assert.strictEqual(yield* statusOf(`__Host-care_staff=${token}`), 401)
    assert.strictEqual(yield* statusOf(`other=1; care_staff=${token}; more=2`), 200)
  })
})

testsOn(
  Suite.layerWith({ PUBLIC_URL: "https://care.example.com", RATE_LIMIT_STAFF_SIGN_IN: "20" }),
  "over HTTPS",
  (it) => {
    it("the cookie is secure, pages of the console are accepted, and an address has a limit of sign-ins", function* () {
      const clinic = yield* makeClinic
      const email = newEmail()
      yield* addStaff(clinic, { email })
      const signedIn = yield* signInStaff(email)
      assert.match(
        signedIn.headers.get("set-cookie") ?? "",
        /^__Host-care_staff=cs_c1_\w{38}; Max-Age=900; Path=\/; HttpOnly; Secure; SameSite=Strict$/
      )
      const headers = { origin: "https://care.example.com" }
      const signedOut = yield* asStaff("DELETE", "/session", cookieOf(signedIn), { headers })
      assert.strictEqual(signedOut.status, 204)
      // Codes are in no mailbox of a machine that others reach.
      const mailbox = yield* asStaff("POST", "/session/mailbox", undefined, { body: { email } })
      assert.deepStrictEqual(
        [mailbox.status, mailbox.json],
        [404, { type: "about:blank", status: 404, ...operationUnknown }]
      )
      const statuses: Array<number> = []
      for (let attempt = 0; attempt < 200; attempt += 1) {
        const body = { email, code: "000000" }
        statuses.push((yield* asStaff("POST", "/session", undefined, { body })).status)
      }
      assert.isAtMost(statuses.filter((status) => status === 401).length, 17)
      assert.strictEqual(statuses.at(-1), 429)
      // So have guesses of the codes of devices.
      const guess = { headers, body: { userCode: "BCDF-GHJK", isApproved: false } }
      const guessed = yield* asStaff("POST", "/session/device/approve", cookieOf(signedIn), guess)
      assert.strictEqual(guessed.status, 429)
    })
  }
)
