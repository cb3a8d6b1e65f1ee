import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin, call, expectAnswer } from "./harness/call.ts"
import { inDatabase, jobsDone } from "./harness/database.ts"
import { type Clinic, caseBody, createCase, decisionBody, makeClinic, newPatient } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { codeSentTo, codesSentTo, messagesTo, refresh, sendCode, signIn, verifyCode } from "./harness/signIn.ts"
import { statementsOfServices, unscopedStatements } from "./harness/statements.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

testsOn(Suite.shared, "walls between organizations", (it) => {
  const act = (clinic: Clinic, action: string, data: unknown) =>
    call("POST", "/api/v1/users", { key: clinic.key, body: { action, data } })
  const updateProfile = (clinic: Clinic, data: unknown) => act(clinic, "UPDATE_PROFILE", data)
  const updateEmail = (clinic: Clinic, currentEmail: string, newEmail: string) =>
    act(clinic, "UPDATE_EMAIL", { currentEmail, newEmail })
  const addMember = (clinic: Clinic, email: string, role = "PROVIDER") =>
    admin("POST", `/organizations/${clinic.organizationId}/members`, {
      email,
      firstName: "Jane",
      lastName: "Rivera",
      role,
      npi: "1234567893"
    })
  const me = (clinic: Clinic, token: string) =>
    call("GET", "/api/v1/users/me", { key: clinic.key, headers: { authorization: `Bearer ${token}` } })

  // Makes a patient of two clinics with the same email, phone number and name.
  const samePersonTwice = Effect.gen(function* () {
    const [own, foreign] = [yield* makeClinic, yield* makeClinic]
    const user = newPatient()
    const created = yield* createCase(own, caseBody(own, { user }))
    const elsewhere = yield* createCase(foreign, caseBody(foreign, { user }))
    assert.deepStrictEqual([created.status, elsewhere.status], [200, 200])
    const ids = yield* Effect.forEach([created, elsewhere], ({ json }) =>
      Effect.map(admin("GET", `/cases/${json.data.caseId}`), (answer): string => answer.json.submitter.id)
    )
    return { own, foreign, user, ids, caseId: String(created.json.data.caseId) }
  })

  it("the same person at two organizations is two records; what one writes, the other does not read", function* () {
    const { foreign, ids, own, user } = yield* samePersonTwice
    assert.notStrictEqual(ids[0], ids[1])
    const profile = { allergies: "latex", city: "Oakland", communication: { smsNotificationsDisabled: true } }
    const own200 = yield* updateProfile(own, { email: user.email, ...profile })
    assert.deepInclude(own200.json.data.user, { id: ids[0], allergies: "latex", city: "Oakland" })
    const { allergies, city, communication, id } = (yield* updateProfile(foreign, { email: user.email })).json.data.user
    assert.deepStrictEqual(
      { allergies, city, communication, id },
      {
        allergies: "",
        city: "San Francisco",
        communication: { smsNotificationsDisabled: false, notificationsDisabled: false },
        id: ids[1]
      }
    )
  })

  it("an abandoned checkout with the email of another organization's patient opens nothing of theirs", function* () {
    const [own, attacker] = [yield* makeClinic, yield* makeClinic]
    const user = newPatient()
    yield* createCase(own, caseBody(own, { user }))
    const { email } = user
    const update = yield* updateProfile(own, { email, allergies: "latex", healthConditions: "asthma" })
    assert.include(JSON.stringify(update.json), "latex")
    const hook = { status: "ABANDONED", user: { email, firstName: "X", lastName: "Y" } }
    assert.strictEqual((yield* createCase(attacker, caseBody(attacker, hook))).status, 200)

    const read = yield* updateProfile(attacker, { email })
    assert.strictEqual(read.status, 200)
    assert.notInclude(JSON.stringify(read.json), "latex")
    assert.deepInclude(read.json.data.user, {
      firstName: "X",
      allergies: "",
      healthConditions: "",
      dob: "",
      gender: ""
    })

    const stolen = `stolen.${email}`
    assert.strictEqual((yield* updateEmail(attacker, email, stolen)).status, 200)
    const session = yield* signIn(own.key, email)
    assert.strictEqual((yield* me(own, session.accessToken)).json.data.user.allergies, "latex")
    const portal = yield* signIn(attacker.key, stolen)
    assert.strictEqual((yield* me(attacker, portal.accessToken)).json.data.user.allergies, "")
    assert.strictEqual((yield* me(own, portal.accessToken)).status, 401)
  })

  it("another organization's provider cannot be assigned to a case, and cannot decide", function* () {
    const [own, attacker] = [yield* makeClinic, yield* makeClinic]
    const email = `provider.${own.organizationId}@example.com`
    const provider: string = (yield* addMember(own, email)).json.id
    const hook = { status: "ABANDONED", user: { email, firstName: "Jane", lastName: "Rivera" } }
    assert.strictEqual((yield* createCase(attacker, caseBody(attacker, hook))).status, 200)

    const caseId: string = (yield* createCase(attacker, caseBody(attacker))).json.data.caseId
    yield* jobsDone("cases", "assignment")
    const open = yield* admin("GET", `/cases/${caseId}`)
    assert.deepInclude(open.json, { status: "OPEN", assignedTo: null })
    assert.strictEqual((yield* admin("POST", `/cases/${caseId}/assign`, { providerId: provider })).status, 422)
    // The case can be assigned to its own provider, so the foreign provider was the reason.
    const ownProvider: string = (yield* addMember(attacker, `own.${email}`)).json.id
    yield* until(admin("GET", `/cases/${caseId}`), ({ json }) => json.status === "ASSIGNED")
    const decision = (addedByUserId: string) => admin("POST", `/cases/${caseId}/decisions`, decisionBody(addedByUserId))
    assert.strictEqual((yield* decision(provider)).status, 422)
    assert.strictEqual((yield* decision(ownProvider)).status, 201)
    const comment = (authorUserId: string) =>
      admin("POST", `/cases/${caseId}/comments`, { authorUserId, text: "Hello", isRestricted: false })
    assert.strictEqual((yield* comment(provider)).status, 422)
    assert.strictEqual((yield* comment(ownProvider)).status, 201)
  })

  it("a phone number in use at another organization prevents no case and no change", function* () {
    const [own, foreign] = [yield* makeClinic, yield* makeClinic]
    const first = newPatient()
    yield* createCase(own, caseBody(own, { user: first }))
    const second = { ...newPatient(), phoneNumber: first.phoneNumber }
    assert.strictEqual((yield* createCase(foreign, caseBody(foreign, { user: second }))).status, 200)
    // Within one organization it belongs to one patient.
    const third = { ...newPatient(), phoneNumber: first.phoneNumber }
    assert.strictEqual((yield* createCase(foreign, caseBody(foreign, { user: third }))).status, 422)
  })

  it("422: a case that names the organization's own staff as patient, whichever way it begins", function* () {
    const [own, foreign] = [yield* makeClinic, yield* makeClinic]
    const email = `staff.${own.organizationId}@example.com`
    yield* addMember(own, email, "SUPPORT")
    yield* expectAnswer(createCase(own, caseBody(own, { user: { ...newPatient(), email } })), 422, {
      success: false,
      message: "Validation failed",
      error: "user.email, belongs to a member of staff of the organization"
    })
    yield* expectAnswer(
      call("POST", "/api/v1/dynamic-case", {
        key: own.key,
        body: {
          firstName: "Pat",
          lastName: "Staff",
          email,
          formTitle: "Intake",
          questions: [{ question: "How much do you weigh?", type: "TEXT", required: true, answer: "185" }]
        }
      }),
      422,
      { success: false, error: "Validation failed: email: belongs to a member of staff of the organization" }
    )
    assert.strictEqual(
      (yield* createCase(foreign, caseBody(foreign, { user: { ...newPatient(), email } }))).status,
      200
    )
  })

  it("check-user tells whether somebody exists anywhere and here, and shows this organization's record first", function* () {
    const { foreign, own, user } = yield* samePersonTwice
    const stranger = yield* makeClinic
    const check = (clinic: Clinic) =>
      Effect.map(call("GET", `/api/v1/check-user?email=${user.email}`, { key: clinic.key }), ({ json }) => json.data)
    const [ownAnswer, foreignAnswer, strangerAnswer] = [
      yield* check(own),
      yield* check(foreign),
      yield* check(stranger)
    ]
    assert.deepStrictEqual(
      [ownAnswer, foreignAnswer, strangerAnswer].map(({ code, existsInCurrentOrganization }) => [
        code,
        existsInCurrentOrganization
      ]),
      [
        ["EMAIL_EXISTS", true],
        ["EMAIL_EXISTS", true],
        ["EMAIL_EXISTS", false]
      ]
    )
    assert.notStrictEqual(ownAnswer.createdAt, foreignAnswer.createdAt)
  })

  it("UPDATE_EMAIL ends the patient's sessions and open codes at once, and tells the old address", function* () {
    const { foreign, own, user } = yield* samePersonTwice
    const session = yield* signIn(own.key, user.email)
    const elsewhere = yield* signIn(foreign.key, user.email)
    const earlierCodes = yield* codesSentTo(user.email)
    yield* sendCode(own.key, { email: user.email })
    const code = yield* codeSentTo(user.email, earlierCodes)
    assert.strictEqual((yield* me(own, session.accessToken)).status, 200)

    const next = `next.${user.email}`
    assert.strictEqual((yield* updateEmail(own, user.email, next)).status, 200)

    assert.strictEqual((yield* me(own, session.accessToken)).status, 401)
    assert.strictEqual((yield* refresh(own.key, session.refreshToken)).json.code, "REFRESH_REUSED")
    assert.strictEqual((yield* verifyCode(own.key, { email: next, code })).status, 401)
    const notices = yield* until(
      Effect.map(messagesTo(user.email), (messages) => messages.filter(({ text }) => text.includes("was changed"))),
      (found) => found.length > 0
    )
    assert.strictEqual(notices.length, 1)
    assert.notInclude(JSON.stringify(notices), next)
    assert.strictEqual((yield* signIn(own.key, next)).status, 200)

    // The same person's sign-in at the other organization is not affected.
    assert.strictEqual((yield* me(foreign, elsewhere.accessToken)).status, 200)
    assert.strictEqual((yield* refresh(foreign.key, elsewhere.refreshToken)).status, 200)
  })

  it("unknown fields change nothing: a body cannot set an organization, a role or a state", function* () {
    const [own, foreign] = [yield* makeClinic, yield* makeClinic]
    const user = newPatient()
    const id = "3b241101-e2bb-4255-8caf-4136c566a962"
    const changes = {
      ...{
        id,
        userId: id,
        organizationId: foreign.organizationId,
        role: "ADMIN",
        isActive: false,
        isDeleted: true
      },
      ...{ deletedAt: "2026-01-01T00:00:00.000Z", createdAt: "2001-01-01T00:00:00.000Z", version: 99 },
      ...{ isArchived: true, assignedTo: id, shortId: "HACKED00", patientId: id }
    }
    const body = caseBody(own, { user })
    const created = yield* createCase(own, { ...body, ...changes, user: { ...user, ...changes } })
    assert.strictEqual(created.status, 200)
    const { caseId } = created.json.data
    const standing = Effect.gen(function* () {
      const [stored] = yield* inDatabase(
        "auth",
        (sql) => sql`
            SELECT id, organization_id, role, is_active, deleted_at, created_at FROM auth.users
            WHERE email = ${user.email}
          `
      )
      const { assignedTo, createdAt, isArchived, organizationId, shortId, status } = (yield* admin(
        "GET",
        `/cases/${caseId}`
      )).json
      return { stored, shown: { assignedTo, createdAt, isArchived, organizationId, shortId, status } }
    })
    const before = yield* standing
    assert.deepInclude(before.stored, {
      ...{ organization_id: own.organizationId, role: "USER", is_active: true, deleted_at: null }
    })
    assert.deepInclude(before.shown, { isArchived: false, organizationId: own.organizationId, status: "OPEN" })
    for (const each of [before.stored, before.shown]) {
      assert.notMatch(JSON.stringify(each), /3b241101|HACKED00|2001-01-01/)
    }
    const changed = yield* updateProfile(own, { email: user.email, city: "Oakland", ...changes })
    assert.deepStrictEqual([changed.status, changed.json.data.user.city], [200, "Oakland"])
    const status = { action: "CHANGE_CASE_STATUS", status: "CLOSE", ...changes }
    for (const change of [status, { ...status, status: "REOPEN" }]) {
      const answer = yield* call("POST", `/api/v1/cases/${caseId}`, { key: own.key, body: change })
      assert.strictEqual(answer.status, 200)
    }
    assert.deepStrictEqual(yield* standing, before)
  })

  it("every statement of the services on what organizations own names the organization", function* () {
    const { own, user } = yield* samePersonTwice
    yield* signIn(own.key, user.email)
    const statements = yield* statementsOfServices((yield* Suite).databaseUrls)
    for (const table of ["users", "cases", "case_products", "form_responses", "refresh_tokens"]) {
      assert.isTrue(
        statements.some((statement) => new RegExp(`\\b(FROM|JOIN|INTO|UPDATE) ${table}\\b`).test(statement))
      )
    }
    assert.deepStrictEqual(unscopedStatements(statements), [])
  })

  it("a statement without the organization would be found", function* () {
    yield* Effect.sync(() => {
      const holes = [
        "SELECT * FROM users WHERE email = $1",
        "SELECT organization_id, status FROM cases WHERE id = $1",
        "UPDATE cases SET status = $1 WHERE id = $2",
        "DELETE FROM documents WHERE id = $1",
        "SELECT organization_id = $1 AS is_mine, text FROM comments WHERE id = $2",
        "INSERT INTO orders (id, case_id) SELECT $1, organization_id FROM orders"
      ]
      assert.deepStrictEqual(unscopedStatements(holes), holes)
      const sound = [
        "SELECT * FROM cases WHERE organization_id = $1 AND id = $2",
        'SELECT name FROM "cases".migrations',
        "SELECT $1"
      ]
      assert.deepStrictEqual(unscopedStatements(sound), [])
    })
  })

  it("a case lookup by the email or number of another organization's patient finds nothing", function* () {
    const [own, foreign] = [yield* makeClinic, yield* makeClinic]
    const user = newPatient()
    const caseId: string = (yield* createCase(own, caseBody(own, { user }))).json.data.caseId
    const get = (clinic: Clinic, path: string) => call("GET", path, { key: clinic.key })
    for (const path of [
      `/api/v1/customer-case-detail?email=${user.email}`,
      `/api/v1/customer-latest-case-id?email=${user.email}`,
      `/api/v1/customer-latest-case-id?phoneNumber=${encodeURIComponent(user.phoneNumber)}`
    ]) {
      assert.include(JSON.stringify((yield* get(own, path)).json), caseId, path)
      const refused = yield* get(foreign, path)
      assert.include([400, 404], refused.status, path)
      assert.notInclude(JSON.stringify(refused.json), caseId)
    }
    assert.strictEqual((yield* get(foreign, `/api/v1/customer-case-detail?caseId=${caseId}`)).status, 403)
  })
})
