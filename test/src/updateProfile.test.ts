import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin, call, expectAnswer } from "./harness/call.ts"
import { inDatabase, jobsDone, untilLockWaits } from "./harness/database.ts"
import { adminCase } from "./harness/dynamicCases.ts"
import { caseBody, createCase, makeClinic, newPatient } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { signIn } from "./harness/signIn.ts"
import { testsOn } from "./harness/testsOn.ts"
import { addMember, changeUser, checkUser, clinicWithPatient, failed, getProfile, invalid } from "./harness/users.ts"
import { whileInsertsFail } from "./harness/whileInsertsFail.ts"

const update = (key: string, data: unknown) => changeUser(key, "UPDATE_PROFILE", data)

testsOn(Suite.shared, "UPDATE_PROFILE", (it) => {
  it("UPDATE_PROFILE changes nothing without an audit record", function* () {
    const clinic = yield* makeClinic
    const body = caseBody(clinic)
    yield* createCase(clinic, body)
    const city = inDatabase("auth", (sql) => sql`SELECT city FROM auth.users WHERE email = ${body.user.email}`)
    const before = yield* city
    const change = update(clinic.key, { email: body.user.email, city: "Austin" })
    const isOfChange = "NEW.action = 'PROFILE_CHANGED'"
    assert.isAtLeast((yield* whileInsertsFail("auth", "audit_waiting", isOfChange, change)).status, 500)
    assert.deepStrictEqual(yield* city, before)
    assert.strictEqual((yield* change).status, 200)
    assert.deepStrictEqual(yield* city, [{ city: "Austin" }])
  })

  it("UPDATE_PROFILE 200: changes every field, and shows it from then on", function* () {
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
    const expected = {
      ...change,
      dob: "1990-02-28T00:00:00.000Z",
      gender: "OTHER",
      state: "TX",
      country: "US",
      role: "USER",
      isActive: true
    }
    assert.deepInclude(answer.json.data.user, expected)
    const { accessToken } = yield* signIn(clinic.key, body.user.email)
    assert.deepStrictEqual((yield* getProfile(clinic.key, accessToken)).json.data.user, answer.json.data.user)
  })

  it("UPDATE_PROFILE 200: absent and null fields stay; a null or blank address2 is removed", function* () {
    const { clinic, user } = yield* clinicWithPatient
    const { email } = user
    yield* update(clinic.key, { email, address2: "Apt 4", communication: { notificationsDisabled: true } })
    const unchanged = yield* update(clinic.key, { email: email.toUpperCase(), city: null })
    assert.deepInclude(unchanged.json.data.user, {
      address2: "Apt 4",
      city: "San Francisco",
      communication: { smsNotificationsDisabled: false, notificationsDisabled: true }
    })
    const removed = yield* update(clinic.key, { email, address2: null })
    assert.isNull(removed.json.data.user.address2)
    const blank = yield* update(clinic.key, { email, address2: " " })
    assert.isNull(blank.json.data.user.address2)
  })

  it("UPDATE_PROFILE 200: a state of any country", function* () {
    const { clinic, user } = yield* clinicWithPatient
    for (const address of [
      { state: "on", country: "CA" },
      { state: "AE", country: "US" }
    ]) {
      const answer = yield* update(clinic.key, { email: user.email, ...address })
      assert.strictEqual(answer.status, 200)
      assert.deepInclude(answer.json.data.user, { ...address, state: address.state.toUpperCase() })
    }
  })

  it("UPDATE_PROFILE 400: every field's format, and nothing changes", function* () {
    const { clinic, user } = yield* clinicWithPatient
    const { email } = user
    const before = (yield* update(clinic.key, { email })).json.data.user
    const wrong: ReadonlyArray<readonly [object, string]> = [
      [{ firstName: "" }, "data.firstName, must not be empty"],
      [{ lastName: "x".repeat(101) }, "data.lastName, must be at most 100 characters long"],
      [{ dob: "1990-02-30" }, "data.dob, must be a date in the form YYYY-MM-DD"],
      [{ dob: "2999-01-01" }, "data.dob, must not be in the future"],
      [{ dob: "1899-12-31" }, "data.dob, must not be before 1900"],
      [{ gender: "x" }, "data.gender, must be one of MALE, FEMALE, OTHER"],
      [{ phoneNumber: "555" }, "data.phoneNumber, must be a valid phone number in E.164 format"],
      [{ address: "P.O. Box 12" }, "data.address, must not be a PO box"],
      [{ address2: 7 }, "data.address2, must be a text"],
      [{ city: 7 }, "data.city, must be a text"],
      [{ state: "California" }, "data.state, must be exactly 2 letters"],
      [{ country: "USA" }, "data.country, must be a 2-letter ISO 3166 country code"],
      [{ postalCode: "9410" }, "data.postalCode, must be 5 digits, or 5+4 digits"],
      [{ allergies: 7 }, "data.allergies, must be a text"],
      [{ languagePreferences: ["en", "klingon"] }, "data.languagePreferences.1, must be an ISO language code"],
      [{ languagePreferences: "en" }, "data.languagePreferences, must be an array"],
      [
        { communication: { notificationsDisabled: "yes" } },
        "data.communication.notificationsDisabled, must be true or false"
      ],
      [{ email: "nobody" }, "data.email, must be a valid email"],
      [{ email: undefined }, "data.email, Required"]
    ]
    for (const [change, error] of wrong) {
      yield* expectAnswer(update(clinic.key, { email, ...change }), 400, invalid(error))
    }
    yield* expectAnswer(
      call("POST", "/api/v1/users", { key: clinic.key, body: { action: "UPDATE_PROFILE" } }),
      400,
      invalid("data, Required")
    )
    const after = (yield* update(clinic.key, { email })).json.data.user
    assert.deepStrictEqual({ ...after, updatedAt: before.updatedAt }, before)
  })

  it("UPDATE_PROFILE 400: unknown user, user of another organization, staff, phone number of another user", function* () {
    const { clinic, user } = yield* clinicWithPatient
    const other = yield* clinicWithPatient
    const beside = caseBody(clinic)
    yield* createCase(clinic, beside)
    const staff = `staff.${clinic.organizationId}@example.com`
    yield* addMember(clinic.organizationId, staff)
    const refused = Effect.fnUntraced(function* (data: object, message: string) {
      yield* expectAnswer(update(clinic.key, data), 400, failed(message))
    })
    yield* refused({ email: "nobody@example.com", city: "X" }, "User nobody@example.com does not exist")
    const elsewhere = `User ${other.user.email} does not exist in the organization`
    yield* refused({ email: other.user.email, city: "X" }, elsewhere)
    yield* refused({ email: staff, city: "X" }, "Not allowed to update the profile")
    const phoneTaken = "Unable to use this phone number. Please use a different one"
    yield* refused({ email: user.email, phoneNumber: beside.user.phoneNumber }, phoneTaken)
    const sameNumber = yield* update(clinic.key, { email: user.email, phoneNumber: user.phoneNumber })
    assert.strictEqual(sameNumber.status, 200)
    const foreign = yield* checkUser(other.clinic.key, `email=${other.user.email}`)
    assert.strictEqual(foreign.json.success, true)
  })

  it("two parallel changes to one phone number: one 200, one 400", function* () {
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

  it("UPDATE_PROFILE locks four fields once somebody works on a case of the user, archived or not", function* () {
    const { caseId, clinic, user } = yield* clinicWithPatient
    const { email } = user
    const set = (status: string, isArchived: boolean) =>
      inDatabase(
        "cases",
        (sql) => sql`UPDATE cases.cases SET status = ${status}, is_archived = ${isArchived} WHERE id = ${caseId}`
      )
    const locked = failed("Cannot update user profile fields (firstName, lastName, dob, gender) for user with cases")
    for (const status of ["ASSIGNED", "IN_PROGRESS", "APPROVED", "REJECTED", "NO_DECISION"]) {
      for (const isArchived of [false, true]) {
        yield* set(status, isArchived)
        for (const change of [{ firstName: "X" }, { lastName: "X" }, { dob: "1990-01-01" }, { gender: "MALE" }]) {
          yield* expectAnswer(update(clinic.key, { email, ...change }), 400, locked, `${status} ${isArchived}`)
        }
      }
    }
    const profile = { firstName: "Maria", lastName: "Lopez", dob: "1988-04-12", gender: "female" }
    assert.strictEqual((yield* update(clinic.key, { email, ...profile, city: "Oakland" })).status, 200)
    for (const status of ["OPEN", "ABANDONED"]) {
      yield* set(status, false)
      const answer = yield* update(clinic.key, { email, firstName: `Now ${status}` })
      assert.strictEqual(answer.status, 200)
    }
  })

  it("a new name in a later case changes the patient's, audited, unless the profile is locked", function* () {
    const { caseId, clinic, user } = yield* clinicWithPatient
    const updateLastName = (lastName: string) =>
      Effect.gen(function* () {
        const body = caseBody(clinic, { user: { ...user, lastName }, forceCreate: true })
        const created = yield* createCase(clinic, body)
        assert.strictEqual(created.status, 200)
        yield* jobsDone("cases", "patient-completion")
        yield* jobsDone("auth", "person-replication")
        return (yield* adminCase(created.json.data.caseId)).submitter
      })
    const changes = (userId: string) =>
      Effect.map(
        admin("GET", `/audit?userId=${userId}`),
        ({ json }) => json.data.filter(({ action }: { readonly action: string }) => action === "PROFILE_CHANGED").length
      )
    const married = yield* updateLastName("Garcia")
    assert.strictEqual(married.lastName, "Garcia")
    assert.strictEqual(yield* changes(married.id), 1)
    assert.strictEqual((yield* updateLastName("Garcia")).lastName, "Garcia")
    assert.strictEqual(yield* changes(married.id), 1)
    for (const isArchived of [false, true]) {
      yield* inDatabase(
        "cases",
        (sql) => sql`UPDATE cases.cases SET status = 'APPROVED', is_archived = ${isArchived} WHERE id = ${caseId}`
      )
      assert.strictEqual((yield* updateLastName("Other")).lastName, "Garcia")
    }
    assert.strictEqual(yield* changes(married.id), 1)
  })

  it("of the names in two cases the newer one stays, although the older one is applied last", function* () {
    const { clinic, user } = yield* clinicWithPatient
    const updateLastName = (lastName: string) =>
      Effect.map(
        createCase(clinic, caseBody(clinic, { user: { ...user, lastName }, forceCreate: true })),
        ({ status }) => assert.strictEqual(status, 200)
      )
    yield* inDatabase("auth", (sql) =>
      sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`SELECT FROM auth.users WHERE email = ${user.email} FOR NO KEY UPDATE`
          yield* updateLastName("Older")
          // The request has checked for newer cases, and is about to change the name.
          yield* untilLockWaits("auth", 1)
          yield* updateLastName("Newer")
        })
      )
    )
    yield* jobsDone("cases", "patient-completion")
    const lastName = inDatabase("auth", (sql) => sql`SELECT last_name FROM auth.users WHERE email = ${user.email}`)
    assert.deepStrictEqual(yield* lastName, [{ last_name: "Newer" }])
  })

  it("health data of a patient is not readable in the database", function* () {
    const { clinic, user } = yield* clinicWithPatient
    const secret = "shellfish-and-latex"
    const texts = { allergies: secret, currentMedications: `${secret} 2`, healthConditions: `${secret} 3` }
    const answer = yield* update(clinic.key, { email: user.email, ...texts })
    assert.deepInclude(answer.json.data.user, texts)
    const [row] = yield* inDatabase("auth", (sql) => sql`SELECT * FROM auth.users WHERE email = ${user.email}`)
    assert.include(JSON.stringify(row), user.email)
    assert.notInclude(JSON.stringify(row), secret)
  })
})
