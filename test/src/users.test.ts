import { createHash, createSecretKey } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { decodeJwt, SignJWT, UnsecuredJWT } from "jose"
import { admin, call } from "./harness/call.ts"
import { inDatabase } from "./harness/database.ts"
import { caseBody, createCase, makeClinic, newPatient } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { signIn } from "./harness/signIn.ts"
import { whileRefusing } from "./harness/whileRefusing.ts"

const badKey = { status: 401, error: "Invalid API key" }
const failed = (message: string) => ({ success: false, message })
const invalid = (error: string) => ({ status: 400, success: false, message: "Invalid request", error })

layer(Suite.shared, { timeout: "60 seconds", excludeTestServices: true })("users", (it) => {
  const clinicWithPatient = Effect.gen(function* () {
    const clinic = yield* makeClinic
    const body = caseBody(clinic)
    const caseId: string = (yield* createCase(clinic, body)).json.data.caseId
    return { clinic, user: body.user, caseId }
  })

  const me = (key: string, token: string | undefined) =>
    call("GET", "/api/v1/users/me", { key, headers: token === undefined ? {} : { authorization: `Bearer ${token}` } })
  const act = (key: string, action: string, data: unknown) =>
    call("POST", "/api/v1/users", { key, body: { action, data } })
  const update = (key: string, data: unknown) => act(key, "UPDATE_PROFILE", data)
  const move = (key: string, currentEmail: unknown, newEmail: unknown) =>
    act(key, "UPDATE_EMAIL", { currentEmail, newEmail })
  const checkUser = (key: string, query: string) => call("GET", `/api/v1/check-user?${query}`, { key })
  const addMember = (organizationId: string, email: string) =>
    admin("POST", `/organizations/${organizationId}/members`, {
      email,
      firstName: "Pat",
      lastName: "Staff",
      role: "SUPPORT"
    })

  it.effect("users/me 200: the own profile, not to be stored", () =>
    Effect.gen(function* () {
      const { clinic, user } = yield* clinicWithPatient
      const { accessToken, patientId } = yield* signIn(clinic.key, user.email)
      const answer = yield* me(clinic.key, accessToken)
      assert.strictEqual(answer.status, 200)
      assert.strictEqual(answer.headers.get("cache-control"), "no-store")
      assert.deepInclude(answer.json, { status: 200, success: true })
      assert.deepInclude(answer.json.data.user, {
        id: patientId,
        email: user.email,
        firstName: "Maria",
        dob: "1988-04-12T00:00:00.000Z",
        gender: "FEMALE",
        address: "500 Howard Street",
        state: "CA",
        role: "USER",
        isActive: true,
        languagePreferences: [],
        communication: { smsNotificationsDisabled: false, notificationsDisabled: false }
      })
    })
  )

  it.effect("users/me 401: without a key, without a token, with a token that is not right", () =>
    Effect.gen(function* () {
      const { clinic, user } = yield* clinicWithPatient
      const other = yield* makeClinic
      const { accessToken, patientId } = yield* signIn(clinic.key, user.email)
      const refused = Effect.fnUntraced(function* (key: string, token: string | undefined, why: string) {
        const answer = yield* me(key, token)
        const body = { status: 401, error: "Invalid access token" }
        assert.deepStrictEqual([answer.status, answer.json], [401, body], why)
      })
      const noKey = yield* call("GET", "/api/v1/users/me", { headers: { authorization: `Bearer ${accessToken}` } })
      assert.deepStrictEqual([noKey.status, noKey.json], [401, badKey])
      assert.deepStrictEqual((yield* me("cv_wrong", accessToken)).json, badKey)
      yield* refused(clinic.key, undefined, "no token")
      yield* refused(clinic.key, "a.b.c", "no JWT")
      yield* refused(other.key, accessToken, "another organization")

      const { secrets } = yield* Suite
      const secret = createSecretKey(secrets.JWT_SECRET, "utf8")
      const kid = createHash("sha256").update(secrets.JWT_SECRET).digest("hex").slice(0, 16)
      const now = Math.floor(Date.now() / 1000)
      const claims = {
        userId: patientId,
        organizationId: clinic.organizationId,
        type: "patient-portal",
        role: "USER",
        organizationAccessRole: "USER",
        iss: "partner-care-api",
        jti: decodeJwt(accessToken).jti ?? "",
        iat: now,
        exp: now + 900
      }
      const forged = (changes: object, alg = "HS512") =>
        Effect.promise(() => new SignJWT({ ...claims, ...changes }).setProtectedHeader({ alg, kid }).sign(secret))
      assert.strictEqual((yield* me(clinic.key, yield* forged({}))).status, 200)
      yield* refused(clinic.key, yield* forged({ exp: now - 1, iat: now - 901 }), "expired")
      yield* refused(clinic.key, yield* forged({ type: "staff-portal" }), "another type")
      yield* refused(clinic.key, yield* forged({}, "HS256"), "another algorithm")
      yield* refused(clinic.key, new UnsecuredJWT(claims).encode(), "no signature")
      yield* refused(clinic.key, yield* forged({ jti: "3b241101-e2bb-4255-8caf-4136c566a962.x" }), "no such session")

      yield* admin("DELETE", `/users/${patientId}`)
      yield* refused(clinic.key, accessToken, "deleted user")
    })
  )

  it.effect("check-user 200: found by email or phone number, here or elsewhere, and not found", () =>
    Effect.gen(function* () {
      const { clinic, user } = yield* clinicWithPatient
      const other = yield* makeClinic
      const phone = encodeURIComponent(user.phoneNumber)
      const byEmail = yield* checkUser(clinic.key, `email=${encodeURIComponent(user.email.toUpperCase())}`)
      assert.strictEqual(byEmail.status, 200)
      const { createdAt } = byEmail.json.data
      assert.match(createdAt, /^\d{4}-.*Z$/)
      assert.deepStrictEqual(byEmail.json, {
        success: true,
        message: "Email already exists",
        data: { createdAt, existsInCurrentOrganization: true, code: "EMAIL_EXISTS" }
      })
      const elsewhere = (yield* checkUser(other.key, `phone-number=${phone}`)).json
      assert.deepStrictEqual(elsewhere, {
        success: true,
        message: "Phone number already exists",
        data: { createdAt, existsInCurrentOrganization: false, code: "PHONE_NUMBER_EXISTS" }
      })
      assert.strictEqual((yield* checkUser(clinic.key, `phone-number=${user.phoneNumber}`)).json.success, true)
      const absent = { success: false, message: "User does not exist", data: { code: "USER_NOT_FOUND" } }
      const both = yield* checkUser(clinic.key, `email=nobody@example.com&phone-number=${phone}`)
      assert.deepStrictEqual([both.status, both.json], [200, absent])
      assert.deepStrictEqual((yield* checkUser(clinic.key, "phone-number=%2B14155550000")).json, absent)
      assert.strictEqual((yield* checkUser(clinic.key, `email=&phone-number=${phone}`)).json.success, true)
    })
  )

  it.effect("check-user 400 and 401: the documented bodies", () =>
    Effect.gen(function* () {
      const clinic = yield* makeClinic
      for (const query of ["", "email=", "email=&phone-number="]) {
        const answer = yield* checkUser(clinic.key, query)
        assert.deepStrictEqual([answer.status, answer.json], [400, failed("Email or phone number is required.")])
      }
      const body = { status: 401, error: "Invalid request" }
      const missing = yield* call("GET", "/api/v1/check-user?email=a@b.co")
      assert.deepStrictEqual([missing.status, missing.json], [401, body])
      const wrong = yield* checkUser("cv_wrong", "email=a@b.co")
      assert.deepStrictEqual([wrong.status, wrong.json], [401, body])
    })
  )

  it.effect("UPDATE_PROFILE changes nothing that is not recorded", () =>
    Effect.gen(function* () {
      const clinic = yield* makeClinic
      const body = caseBody(clinic)
      yield* createCase(clinic, body)
      const city = inDatabase((sql) => sql`SELECT city FROM auth.users WHERE email = ${body.user.email}`)
      const before = yield* city
      const change = update(clinic.key, { email: body.user.email, city: "Austin" })
      const isOfChange = "NEW.action = 'PROFILE_CHANGED'"
      assert.isAtLeast((yield* whileRefusing("auth.audit_records", isOfChange, change)).status, 500)
      assert.deepStrictEqual(yield* city, before)
      assert.strictEqual((yield* change).status, 200)
      assert.deepStrictEqual(yield* city, [{ city: "Austin" }])
    })
  )

  it.effect("UPDATE_PROFILE 200: changes every field, and shows it from then on", () =>
    Effect.gen(function* () {
      const clinic = yield* makeClinic
      const body = caseBody(clinic, { status: "ABANDONED" })
      yield* createCase(clinic, body)
      const { phoneNumber } = newPatient()
      const change = {
        email: body.user.email,
        firstName: "Ana",
        lastName: "Diaz",
        dob: "1990-02-28",
        gender: "other",
        phoneNumber,
        address: "12 Box Elder Rd",
        address2: "Apt 4",
        city: "Austin",
        state: "tx",
        country: "us",
        postalCode: "78701-1234",
        allergies: "Penicillin",
        currentMedications: "Metformin",
        healthConditions: "Diabetes",
        languagePreferences: ["en", "es-MX"],
        communication: { smsNotificationsDisabled: true, notificationsDisabled: true }
      }
      const answer = yield* update(clinic.key, change)
      assert.deepStrictEqual([answer.status, answer.json.message], [200, "Profile updated successfully"])
      const shown = {
        ...change,
        dob: "1990-02-28T00:00:00.000Z",
        gender: "OTHER",
        state: "TX",
        country: "US",
        role: "USER",
        isActive: true
      }
      assert.deepInclude(answer.json.data.user, shown)
      const { accessToken } = yield* signIn(clinic.key, body.user.email)
      assert.deepStrictEqual((yield* me(clinic.key, accessToken)).json.data.user, answer.json.data.user)
    })
  )

  it.effect("UPDATE_PROFILE 200: what is absent or null stays; address2 null or blank is removed", () =>
    Effect.gen(function* () {
      const { clinic, user } = yield* clinicWithPatient
      const { email } = user
      yield* update(clinic.key, { email, address2: "Apt 4", communication: { notificationsDisabled: true } })
      const kept = yield* update(clinic.key, { email: email.toUpperCase(), city: null })
      assert.deepInclude(kept.json.data.user, {
        address2: "Apt 4",
        city: "San Francisco",
        communication: { smsNotificationsDisabled: false, notificationsDisabled: true }
      })
      const removed = yield* update(clinic.key, { email, address2: null })
      assert.isNull(removed.json.data.user.address2)
      const blank = yield* update(clinic.key, { email, address2: " " })
      assert.isNull(blank.json.data.user.address2)
    })
  )

  it.effect("UPDATE_PROFILE 400: every field's format, and nothing changes", () =>
    Effect.gen(function* () {
      const { clinic, user } = yield* clinicWithPatient
      const { email } = user
      const before = (yield* update(clinic.key, { email })).json.data.user
      const wrong: ReadonlyArray<readonly [object, string]> = [
        [{ firstName: "" }, "data.firstName, must not be empty"],
        [{ lastName: "x".repeat(101) }, "data.lastName, must be at most 100 characters long"],
        [{ dob: "1990-02-30" }, "data.dob, must be a date in the form YYYY-MM-DD"],
        [{ dob: "2999-01-01" }, "data.dob, must not be in the future"],
        [{ dob: "1899-12-31" }, "data.dob, must not be before 1900"],
        [{ gender: "x" }, 'data.gender, Expected "MALE" | "FEMALE" | "OTHER"'],
        [{ phoneNumber: "555" }, "data.phoneNumber, must be a valid phone number in E.164 format"],
        [{ address: "P.O. Box 12" }, "data.address, must not be a PO box"],
        [{ address2: 7 }, "data.address2, Expected string | null"],
        [{ city: 7 }, "data.city, Expected string | null"],
        [{ state: "California" }, "data.state, must be the 2-letter code of a US state"],
        [{ country: "USA" }, "data.country, must be a 2-letter ISO 3166 country code"],
        [{ postalCode: "9410" }, "data.postalCode, must be 5 digits, or 5+4 digits"],
        [{ allergies: 7 }, "data.allergies, Expected string | null"],
        [{ languagePreferences: ["en", "klingon"] }, "data.languagePreferences.1, must be an ISO language code"],
        [{ languagePreferences: "en" }, "data.languagePreferences, Expected array | null"],
        [
          { communication: { notificationsDisabled: "yes" } },
          "data.communication.notificationsDisabled, Expected boolean | null"
        ],
        [{ email: "nobody" }, "data.email, must be a valid email"],
        [{ email: undefined }, "data.email, Required"]
      ]
      for (const [change, error] of wrong) {
        const answer = yield* update(clinic.key, { email, ...change })
        assert.deepStrictEqual([answer.status, answer.json], [400, invalid(error)])
      }
      const noData = yield* call("POST", "/api/v1/users", { key: clinic.key, body: { action: "UPDATE_PROFILE" } })
      assert.deepStrictEqual([noData.status, noData.json], [400, invalid("data, Required")])
      const after = (yield* update(clinic.key, { email })).json.data.user
      assert.deepStrictEqual({ ...after, updatedAt: before.updatedAt }, before)
    })
  )

  it.effect("UPDATE_PROFILE 400: unknown user, user of another organization, staff, phone number of another user", () =>
    Effect.gen(function* () {
      const { clinic, user } = yield* clinicWithPatient
      const other = yield* clinicWithPatient
      const beside = caseBody(clinic)
      yield* createCase(clinic, beside)
      const staff = `staff.${clinic.organizationId}@example.com`
      yield* addMember(clinic.organizationId, staff)
      const refused = Effect.fnUntraced(function* (data: object, message: string) {
        const answer = yield* update(clinic.key, data)
        assert.deepStrictEqual([answer.status, answer.json], [400, failed(message)])
      })
      yield* refused({ email: "nobody@example.com", city: "X" }, "User nobody@example.com does not exist")
      const elsewhere = `User ${other.user.email} does not exist in the organization`
      yield* refused({ email: other.user.email, city: "X" }, elsewhere)
      yield* refused({ email: staff, city: "X" }, "Not allowed to update the profile")
      const taken = "Unable to use this phone number. Please use a different one"
      yield* refused({ email: user.email, phoneNumber: beside.user.phoneNumber }, taken)
      const own = yield* update(clinic.key, { email: user.email, phoneNumber: user.phoneNumber })
      assert.strictEqual(own.status, 200)
      const foreign = yield* checkUser(other.clinic.key, `email=${other.user.email}`)
      assert.strictEqual(foreign.json.success, true)
    })
  )

  it.effect("two parallel changes to one phone number: one 200, one 400", () =>
    Effect.gen(function* () {
      const clinic = yield* makeClinic
      const patients = [caseBody(clinic), caseBody(clinic)]
      yield* Effect.forEach(patients, (body) => createCase(clinic, body))
      const { phoneNumber } = newPatient()
      const answers = yield* Effect.forEach(
        patients,
        ({ user }) => update(clinic.key, { email: user.email, phoneNumber }),
        {
          concurrency: "unbounded"
        }
      )
      assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [200, 400])
    })
  )

  it.effect("UPDATE_PROFILE locks four fields once somebody works on a case of the user, archived or not", () =>
    Effect.gen(function* () {
      const { caseId, clinic, user } = yield* clinicWithPatient
      const { email } = user
      const set = (status: string, isArchived: boolean) =>
        inDatabase(
          (sql) => sql`UPDATE cases.cases SET status = ${status}, is_archived = ${isArchived} WHERE id = ${caseId}`
        )
      const locked = failed("Cannot update user profile fields (firstName, lastName, dob, gender) for user with cases")
      for (const status of ["ASSIGNED", "IN_PROGRESS", "APPROVED", "REJECTED", "NO_DECISION"]) {
        for (const isArchived of [false, true]) {
          yield* set(status, isArchived)
          for (const change of [{ firstName: "X" }, { lastName: "X" }, { dob: "1990-01-01" }, { gender: "MALE" }]) {
            const answer = yield* update(clinic.key, { email, ...change })
            assert.deepStrictEqual([answer.status, answer.json], [400, locked], `${status} ${isArchived}`)
          }
        }
      }
      const same = { firstName: "Maria", lastName: "Lopez", dob: "1988-04-12", gender: "female" }
      assert.strictEqual((yield* update(clinic.key, { email, ...same, city: "Oakland" })).status, 200)
      for (const status of ["OPEN", "ABANDONED"]) {
        yield* set(status, false)
        const answer = yield* update(clinic.key, { email, firstName: `Now ${status}` })
        assert.strictEqual(answer.status, 200)
      }
    })
  )

  it.effect("what is known of a patient's health is not readable in the database", () =>
    Effect.gen(function* () {
      const { clinic, user } = yield* clinicWithPatient
      const secret = "shellfish-and-latex"
      const texts = { allergies: secret, currentMedications: `${secret} 2`, healthConditions: `${secret} 3` }
      const answer = yield* update(clinic.key, { email: user.email, ...texts })
      assert.deepInclude(answer.json.data.user, texts)
      const [row] = yield* inDatabase((sql) => sql`SELECT * FROM auth.users WHERE email = ${user.email}`)
      assert.include(JSON.stringify(row), user.email)
      assert.notInclude(JSON.stringify(row), secret)
    })
  )

  it.effect("UPDATE_EMAIL 200: also with an active case; codes and sign-in follow the new email", () =>
    Effect.gen(function* () {
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
            postalCode: null
          }
        }
      })
      assert.strictEqual((yield* signIn(clinic.key, next)).status, 200)
      assert.isFalse((yield* checkUser(clinic.key, `email=${user.email}`)).json.success)
    })
  )

  it.effect("UPDATE_EMAIL 400: every documented message, and nothing changes", () =>
    Effect.gen(function* () {
      const { clinic, user } = yield* clinicWithPatient
      const other = yield* clinicWithPatient
      const beside = caseBody(clinic)
      yield* createCase(clinic, beside)
      const staff = `staff.${clinic.organizationId}@example.com`
      yield* addMember(clinic.organizationId, staff)
      const login = `login.${clinic.organizationId}@example.com`
      yield* inDatabase(
        (sql) => sql`
          INSERT INTO auth.credentials (organization_id, login_email, user_id, password_hash, created_at, updated_at)
          SELECT organization_id, ${login}, id, 'hash', now(), now() FROM auth.users WHERE email = ${beside.user.email}
        `
      )
      const refused = Effect.fnUntraced(function* (current: string, next: string, message: string) {
        const answer = yield* move(clinic.key, current, next)
        assert.deepStrictEqual([answer.status, answer.json], [400, failed(message)])
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
        const answer = yield* act(clinic.key, "UPDATE_EMAIL", data)
        assert.deepStrictEqual([answer.status, answer.json], [400, invalid(error)])
      }
      assert.isTrue((yield* checkUser(clinic.key, `email=${user.email}`)).json.data.existsInCurrentOrganization)
    })
  )

  it.effect("UPDATE_EMAIL moves the patient's own login along", () =>
    Effect.gen(function* () {
      const { clinic, user } = yield* clinicWithPatient
      const next = `moved.${user.email}`
      yield* inDatabase(
        (sql) => sql`
          INSERT INTO auth.credentials (organization_id, login_email, user_id, password_hash, created_at, updated_at)
          SELECT organization_id, email, id, 'hash', now(), now() FROM auth.users WHERE email = ${user.email}
        `
      )
      assert.strictEqual((yield* move(clinic.key, user.email, next)).status, 200)
      const logins = yield* inDatabase(
        (sql) => sql`SELECT login_email FROM auth.credentials WHERE login_email IN (${user.email}, ${next})`
      )
      assert.deepStrictEqual(logins, [{ login_email: next }])
    })
  )

  it.effect("two patients move to one email at once: one 200, one 400", () =>
    Effect.gen(function* () {
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
  )

  const moveOnce = (key: string, idempotencyKey: string, currentEmail: string, newEmail: string) =>
    call("POST", "/api/v1/users", {
      key,
      headers: { "idempotency-key": idempotencyKey },
      body: { action: "UPDATE_EMAIL", data: { currentEmail, newEmail } }
    })

  it.effect("20 callers with one Idempotency-Key and body: one change, and the same 200 for all, also later", () =>
    Effect.gen(function* () {
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
      // Without the key the second of two such requests finds nobody.
      assert.strictEqual((yield* move(clinic.key, user.email, next)).status, 400)
      const stored = yield* inDatabase((sql) => sql`SELECT * FROM auth.idempotency_keys WHERE key = 'one'`)
      assert.strictEqual(stored.length, 1)
      assert.notInclude(JSON.stringify(stored), user.email)
    })
  )

  it.effect("409: an Idempotency-Key with another body; in another organization the key is another one", () =>
    Effect.gen(function* () {
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
  )

  it.effect("a refused request leaves its Idempotency-Key free; one that is too long is a 400", () =>
    Effect.gen(function* () {
      const { clinic, user } = yield* clinicWithPatient
      assert.strictEqual((yield* moveOnce(clinic.key, "retry", "nobody@example.com", "x@example.com")).status, 400)
      assert.strictEqual((yield* moveOnce(clinic.key, "retry", "no email", "x@example.com")).status, 400)
      assert.strictEqual((yield* moveOnce(clinic.key, "retry", user.email, `r.${user.email}`)).status, 200)
      const long = yield* moveOnce(clinic.key, "x".repeat(256), user.email, "x@example.com")
      assert.deepStrictEqual(
        [long.status, long.json],
        [400, invalid("idempotency-key, must be at most 255 characters long")]
      )
    })
  )

  it.effect("the actions answer 401 without a key and with a wrong one", () =>
    Effect.gen(function* () {
      for (const action of ["UPDATE_PROFILE", "UPDATE_EMAIL"]) {
        const missing = yield* call("POST", "/api/v1/users", { body: { action, data: {} } })
        assert.deepStrictEqual([missing.status, missing.json], [401, badKey])
        const wrong = yield* act("cv_wrong", action, {})
        assert.deepStrictEqual([wrong.status, wrong.json], [401, badKey])
      }
    })
  )
})
