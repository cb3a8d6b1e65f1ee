import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { call, expectAnswer } from "./harness/call.ts"
import { inDatabase } from "./harness/database.ts"
import { caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { codeSentTo, sendCode, signIn, verifyCode } from "./harness/signIn.ts"
import { testsOn } from "./harness/testsOn.ts"
import { addMember, changeUser, checkUser, clinicWithPatient, failed, invalid } from "./harness/users.ts"

const move = (key: string, currentEmail: unknown, newEmail: unknown) =>
  changeUser(key, "UPDATE_EMAIL", { currentEmail, newEmail })

testsOn(Suite.shared, "UPDATE_EMAIL", (it) => {
  it("UPDATE_EMAIL 200: also with an active case; codes and sign-in follow the new email", function* () {
    const { clinic, user } = yield* clinicWithPatient
    const next = `new.${user.email}`
    const answer = yield* move(clinic.key, ` ${user.email} `, next.toUpperCase())
    assert.strictEqual(answer.status, 200)
    assert.deepStrictEqual(answer.json, {
      status: 200,
      success: true,
      message: "Email updated successfully",
      data: {
        user: {
          email: next,
          firstName: "Maria",
          lastName: "Lopez",
          dob: "1988-04-12T00:00:00.000Z",
          phoneNumber: user.phoneNumber,
          gender: "FEMALE",
          address: "500 Howard Street",
          address2: null,
          city: "San Francisco",
          state: "CA",
          country: "US",
          postalCode: ""
        }
      }
    })
    assert.strictEqual((yield* signIn(clinic.key, next)).status, 200)
    assert.isFalse((yield* checkUser(clinic.key, `email=${user.email}`)).json.success)
  })

  it("UPDATE_EMAIL 200: whoever asked for a code just before, by phone number or new email, gets one at once", function* () {
    for (const isByPhone of [true, false]) {
      const { clinic, user } = yield* clinicWithPatient
      const next = `waiting.${user.email}`
      const identifier = isByPhone ? { phoneNumber: user.phoneNumber } : { email: next }
      const receiver = isByPhone ? user.phoneNumber : next
      yield* sendCode(clinic.key, identifier)
      const voided = isByPhone ? [yield* codeSentTo(receiver)] : []
      assert.strictEqual((yield* move(clinic.key, user.email, next)).status, 200)
      yield* sendCode(clinic.key, identifier)
      const code = yield* codeSentTo(receiver, voided)
      assert.strictEqual((yield* verifyCode(clinic.key, { ...identifier, code })).status, 200)
    }
  })

  it("UPDATE_EMAIL 400: every documented message, and nothing changes", function* () {
    const { clinic, user } = yield* clinicWithPatient
    const other = yield* clinicWithPatient
    const beside = caseBody(clinic)
    yield* createCase(clinic, beside)
    const staff = `staff.${clinic.organizationId}@example.com`
    yield* addMember(clinic.organizationId, staff)
    const login = `login.${clinic.organizationId}@example.com`
    yield* inDatabase(
      "auth",
      (sql) => sql`
          INSERT INTO auth.credentials (organization_id, login_email, user_id, password_hash, created_at, updated_at)
          SELECT organization_id, ${login}, id, 'hash', created_at, created_at FROM auth.users WHERE email = ${beside.user.email}
        `
    )
    const refused = Effect.fnUntraced(function* (current: string, next: string, message: string) {
      yield* expectAnswer(move(clinic.key, current, next), 400, failed(message))
    })
    const free = `free.${user.email}`
    yield* refused("nobody@example.com", free, "User nobody@example.com does not exist")
    yield* refused(other.user.email, free, `User ${other.user.email} does not exist in the organization`)
    yield* refused(staff, free, "Not allowed to update the email")
    yield* refused(user.email, user.email, `New Email ${user.email} already exists`)
    yield* refused(user.email, beside.user.email, `New Email ${beside.user.email} already exists`)
    yield* refused(user.email, other.user.email, `User with email ${other.user.email} already exists in database`)
    yield* refused(user.email, login, `User with email ${login} already exists in authentication`)
    for (const [data, error] of [
      [{ currentEmail: user.email }, "data.newEmail, Required"],
      [{ currentEmail: "x", newEmail: free }, "data.currentEmail, must be a valid email"],
      [{ currentEmail: user.email, newEmail: "x" }, "data.newEmail, must be a valid email"]
    ] as const) {
      yield* expectAnswer(changeUser(clinic.key, "UPDATE_EMAIL", data), 400, invalid(error))
    }
    assert.isTrue((yield* checkUser(clinic.key, `email=${user.email}`)).json.data.existsInCurrentOrganization)
  })

  it("UPDATE_EMAIL moves the patient's own login along", function* () {
    const { clinic, user } = yield* clinicWithPatient
    const next = `moved.${user.email}`
    yield* inDatabase(
      "auth",
      (sql) => sql`
          INSERT INTO auth.credentials (organization_id, login_email, user_id, password_hash, created_at, updated_at)
          SELECT organization_id, email, id, 'hash', created_at, created_at FROM auth.users WHERE email = ${user.email}
        `
    )
    assert.strictEqual((yield* move(clinic.key, user.email, next)).status, 200)
    const logins = yield* inDatabase(
      "auth",
      (sql) => sql`SELECT login_email FROM auth.credentials WHERE login_email IN (${user.email}, ${next})`
    )
    assert.deepStrictEqual(logins, [{ login_email: next }])
  })

  it("two patients move to one email at once: one 200, one 400", function* () {
    const clinic = yield* makeClinic
    const patients = [caseBody(clinic), caseBody(clinic)]
    yield* Effect.forEach(patients, (body) => createCase(clinic, body))
    const next = `same.${clinic.organizationId}@example.com`
    const answers = yield* Effect.forEach(patients, ({ user }) => move(clinic.key, user.email, next), {
      concurrency: "unbounded"
    })
    assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [200, 400])
    const loser = answers.find(({ status }) => status === 400)
    assert.deepStrictEqual(loser?.json, failed(`New Email ${next} already exists`))
  })

  it("patients of four organizations move to one email at once, ten times: one 200, the others 400", function* () {
    let patients = (yield* Effect.replicateEffect(clinicWithPatient, 4)).map(({ clinic: { key }, user }) => ({
      key,
      email: user.email
    }))
    for (let round = 0; round < 10; round += 1) {
      const next = `${round}.${patients[0]?.email}`
      const emailTaken = [400, failed(`User with email ${next} already exists in database`)]
      const answers = yield* Effect.forEach(patients, ({ email, key }) => move(key, email, next), {
        concurrency: "unbounded"
      })
      const refused = answers.filter(({ status }) => status !== 200)
      assert.deepStrictEqual(
        refused.map(({ json, status }) => [status, json]),
        patients.slice(1).map(() => emailTaken)
      )
      patients = patients.map((patient, index) =>
        answers[index]?.status === 200 ? { ...patient, email: next } : patient
      )
    }
  })

  const moveOnce = (key: string, idempotencyKey: string, currentEmail: string, newEmail: string) =>
    call("POST", "/api/v1/users", {
      key,
      headers: { "idempotency-key": idempotencyKey },
      body: { action: "UPDATE_EMAIL", data: { currentEmail, newEmail } }
    })

  it("20 callers with one Idempotency-Key and body: one change, and the same 200 for all, also later", function* () {
    const { clinic, user } = yield* clinicWithPatient
    const next = `once.${user.email}`
    const answers = yield* Effect.all(
      Array.from({ length: 20 }, () => moveOnce(clinic.key, "one", user.email, next)),
      { concurrency: "unbounded" }
    )
    const later = yield* moveOnce(clinic.key, "one", user.email, next)
    for (const answer of [...answers, later]) {
      assert.deepStrictEqual([answer.status, answer.json], [200, later.json])
    }
    // Without a key the second of two equal requests would not find the user.
    assert.strictEqual((yield* move(clinic.key, user.email, next)).status, 400)
    const stored = yield* inDatabase(
      "auth",
      (sql) => sql`SELECT * FROM auth.idempotency_keys WHERE organization_id = ${clinic.organizationId}`
    )
    assert.strictEqual(stored.length, 1)
    assert.notInclude(JSON.stringify(stored), user.email)
  })

  it("409: an Idempotency-Key with another body; in another organization the key is another one", function* () {
    const { clinic, user } = yield* clinicWithPatient
    const other = yield* clinicWithPatient
    const first = yield* moveOnce(clinic.key, "shared", user.email, `a.${user.email}`)
    assert.strictEqual(first.status, 200)
    const conflict = yield* moveOnce(clinic.key, "shared", `a.${user.email}`, `b.${user.email}`)
    assert.strictEqual(conflict.status, 409)
    assert.deepStrictEqual(conflict.json, {
      success: false,
      message: "Idempotency conflict",
      error: "The idempotency key was used with another body.",
      code: "IDEMPOTENCY_ERROR"
    })
    const elsewhere = yield* moveOnce(other.clinic.key, "shared", other.user.email, `a.${other.user.email}`)
    assert.strictEqual(elsewhere.status, 200)
  })

  it("a refused request leaves its Idempotency-Key free; one that is too long is a 400", function* () {
    const { clinic, user } = yield* clinicWithPatient
    assert.strictEqual((yield* moveOnce(clinic.key, "retry", "nobody@example.com", "x@example.com")).status, 400)
    assert.strictEqual((yield* moveOnce(clinic.key, "retry", "no email", "x@example.com")).status, 400)
    assert.strictEqual((yield* moveOnce(clinic.key, "retry", user.email, `r.${user.email}`)).status, 200)
    yield* expectAnswer(
      moveOnce(clinic.key, "x".repeat(256), user.email, "x@example.com"),
      400,
      invalid("idempotency-key, must be at most 255 characters long")
    )
  })
})
