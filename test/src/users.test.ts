import { createHash, createSecretKey } from "node:crypto"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { decodeJwt, SignJWT, UnsecuredJWT } from "jose"
import { admin, expectAnswer } from "./harness/call.ts"
import { makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { signIn } from "./harness/signIn.ts"
import { testsOn } from "./harness/testsOn.ts"
import { checkUser, clinicWithPatient, failed, getProfile } from "./harness/users.ts"

testsOn(Suite.shared, "users", (it) => {
  it("users/me 200: the own profile, not to be stored", function* () {
    const { clinic, user } = yield* clinicWithPatient
    const { accessToken, patientId } = yield* signIn(clinic.key, user.email)
    const answer = yield* getProfile(clinic.key, accessToken)
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

  it("users/me 401: without a token, with a token that is not right", function* () {
    const { clinic, user } = yield* clinicWithPatient
    const other = yield* makeClinic
    const { accessToken, patientId } = yield* signIn(clinic.key, user.email)
    const refused = Effect.fnUntraced(function* (key: string, token: string | undefined, why: string) {
      const answer = yield* getProfile(key, token)
      const body = { status: 401, error: "Invalid access token" }
      assert.deepStrictEqual([answer.status, answer.json], [401, body], why)
    })
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
    assert.strictEqual((yield* getProfile(clinic.key, yield* forged({}))).status, 200)
    yield* refused(clinic.key, yield* forged({ exp: now - 1, iat: now - 901 }), "expired")
    yield* refused(clinic.key, yield* forged({ type: "staff-portal" }), "another type")
    yield* refused(clinic.key, yield* forged({}, "HS256"), "another algorithm")
    yield* refused(clinic.key, new UnsecuredJWT(claims).encode(), "no signature")
    yield* refused(clinic.key, yield* forged({ jti: "3b241101-e2bb-4255-8caf-4136c566a962.x" }), "no such session")

    yield* admin("DELETE", `/users/${patientId}`)
    yield* refused(clinic.key, accessToken, "deleted user")
  })

  it("check-user 200: found by email or phone number, here or elsewhere, and not found", function* () {
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
    yield* expectAnswer(checkUser(clinic.key, `email=nobody@example.com&phone-number=${phone}`), 200, absent)
    assert.deepStrictEqual((yield* checkUser(clinic.key, "phone-number=%2B14155550000")).json, absent)
    assert.strictEqual((yield* checkUser(clinic.key, `email=&phone-number=${phone}`)).json.success, true)
  })

  it("check-user 400: the documented body", function* () {
    const clinic = yield* makeClinic
    for (const query of ["", "email=", "email=&phone-number="]) {
      yield* expectAnswer(checkUser(clinic.key, query), 400, failed("Email or phone number is required."))
    }
  })
})
