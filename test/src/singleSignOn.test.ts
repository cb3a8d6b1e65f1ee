import { openIdClient, runOpenIdProvider } from "@care/auth/testing/runOpenIdProvider"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin } from "./harness/call.ts"
import { inDatabase, jobsDone } from "./harness/database.ts"
import { addStaff, makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { codeMessagesTo } from "./harness/signIn.ts"
import { asStaff, cookieOf, enrolPasskey, signInStaff } from "./harness/staff.ts"
import { testsOn } from "./harness/testsOn.ts"

let clinics = 0

testsOn(Suite.shared, "single sign-on", (it) => {
  const makeClinicWithProvider = Effect.gen(function* () {
    const { urls } = yield* Suite
    const redirectUri = `${urls.gateway}/admin/v1/session/oidc/callback`
    const provider = yield* runOpenIdProvider({ redirectUri })
    const clinic = yield* makeClinic
    clinics += 1
    const domain = `signing${clinics}.example`
    const email = `jane@${domain}`
    const userId = yield* addStaff(clinic, { email, role: "ADMIN" })
    const path = `/organizations/${clinic.organizationId}/single-sign-on`
    const setting = { ...openIdClient, issuer: provider.issuer, domains: [domain] }
    return { clinic, email, path, provider, redirectUri, setting, userId }
  })

  const start = (email: string, next?: string) =>
    asStaff("POST", "/session/oidc/start", undefined, { body: { email, next } })

  // As a browser that another site sends here: without the cookie of a session, and without an origin.
  const comeBack = ({ search }: URL, cookie: string) =>
    asStaff("GET", `/session/oidc/callback${search}`, undefined, {
      headers: { cookie, "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" }
    })

  it("signs a member in by way of the provider: an active session, whose first passkey steps it up", function* () {
    const { email, path, provider, redirectUri, setting, userId } = yield* makeClinicWithProvider
    assert.deepInclude((yield* admin("PUT", path, setting)).json, { redirectUri, hasClientSecret: true })
    const begun = yield* start(email)
    assert.strictEqual(begun.status, 200)
    assert.match(
      begun.headers.get("set-cookie") ?? "",
      /^care_oidc=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/
    )
    const back = yield* provider.signIn(begun.json.data.redirectTo, { email, email_verified: true })
    const signedIn = yield* comeBack(back, cookieOf(begun))
    assert.deepStrictEqual(
      [signedIn.status, signedIn.headers.get("location"), signedIn.headers.get("cache-control")],
      [303, "/console", "no-store"]
    )
    assert.match(
      signedIn.headers.get("set-cookie") ?? "",
      /^care_staff=cs_c1_\w{38}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/
    )
    const cookie = cookieOf(signedIn)
    const own = yield* asStaff("GET", "/session", cookie)
    assert.deepInclude(own.json, { state: "ACTIVE", steppedUpAt: null, hasPasskeys: false })
    assert.strictEqual(own.json.user.id, userId)
    const remove = (session: string) => asStaff("DELETE", path, session)
    assert.strictEqual((yield* remove(cookie)).json.code, "STEP_UP_NEEDED")
    const { answer } = yield* enrolPasskey(cookie)
    assert.strictEqual((yield* remove(cookieOf(answer))).status, 204)
    assert.strictEqual((yield* asStaff("GET", path, cookieOf(answer))).status, 404)
  })

  it("sends the browser to the page of sign-in when it fails, with no session", function* () {
    const { clinic, email, path, provider, setting } = yield* makeClinicWithProvider
    yield* admin("PUT", path, setting)
    const begun = yield* start(email)
    const redirectTo: string = begun.json.data.redirectTo
    const stranger = yield* provider.signIn(redirectTo, {
      email: `stranger@${setting.domains[0]}`,
      email_verified: true
    })
    for (const [cookie, why] of [
      ["care_oidc=another", "expired"],
      [cookieOf(begun), "member"],
      [cookieOf(begun), "expired"]
    ] as const) {
      const failed = yield* comeBack(stranger, cookie)
      assert.deepStrictEqual(
        [failed.status, failed.headers.get("location"), failed.headers.get("set-cookie")],
        [303, `/console/sign-in?error=${why}`, null]
      )
    }
    const sessions = yield* inDatabase(
      "auth",
      (sql) => sql`SELECT id FROM auth.staff_sessions WHERE organization_id = ${clinic.organizationId}`
    )
    assert.lengthOf(sessions, 0)
  })

  it("leads to the page of the console that was wanted, and never elsewhere", function* () {
    const { email, path, provider, setting } = yield* makeClinicWithProvider
    yield* admin("PUT", path, setting)
    const next = "/payments?status=FAILED&caseId=%22x%22"
    for (const [account, location] of [
      [{ email, email_verified: true }, `/console${next}`],
      [{ email }, `/console/sign-in?${new URLSearchParams({ error: "email", next })}`]
    ] as const) {
      const begun = yield* start(email, next)
      const signedIn = yield* comeBack(yield* provider.signIn(begun.json.data.redirectTo, account), cookieOf(begun))
      assert.deepStrictEqual([signedIn.status, signedIn.headers.get("location")], [303, location])
    }
    for (const hostile of [
      "",
      "queue",
      "//evil.example",
      "/\\evil.example",
      "https://evil.example",
      "javascript:alert(1)",
      "@evil.example",
      ".evil.example",
      "/../admin/v1/session",
      "/%2e%2e/admin/v1/session",
      "/queue\\..\\..\\admin",
      "/queue\r\nSet-Cookie: x=y",
      "/queue\t",
      "/\n/evil.example",
      "/\u202equeue",
      "/\u0000",
      "/sign-in?next=/queue",
      `/${"x".repeat(3000)}`
    ]) {
      assert.strictEqual((yield* start(email, hostile)).status, 400, hostile)
    }
  })

  it("begins from pages of the console alone, for domains that have it, and says nothing of members", function* () {
    const { email, path, provider, setting } = yield* makeClinicWithProvider
    const none = yield* start(email)
    assert.deepStrictEqual([none.status, none.json.title], [404, "No single sign-on"])
    yield* admin("PUT", path, setting)
    for (const to of [email, `nobody@${setting.domains[0]}`]) assert.strictEqual((yield* start(to)).status, 200, to)
    assert.strictEqual((yield* start("no email")).status, 400)
    const tooLong = yield* asStaff("GET", `/session/oidc/callback?state=${"x".repeat(300)}`, undefined)
    assert.strictEqual(tooLong.status, 400)
    const crossSite = yield* asStaff("POST", "/session/oidc/start", undefined, {
      body: { email },
      headers: { origin: "https://evil.example" }
    })
    assert.deepStrictEqual([crossSite.status, crossSite.json.code], [403, "CROSS_SITE"])
    // Another setting is another client, whose discovery document is not known yet.
    yield* admin("PUT", path, { ...setting, clientId: "another" })
    provider.setDown(true)
    const down = yield* start(email)
    assert.deepStrictEqual([down.status, down.json.title], [502, "Provider unavailable"])
  })

  it("is set by administrators and operators, and refused with what is wrong", function* () {
    const { clinic, path, setting } = yield* makeClinicWithProvider
    const other = yield* makeClinicWithProvider
    assert.strictEqual((yield* admin("GET", path)).status, 404)
    assert.strictEqual((yield* admin("DELETE", path)).status, 404)
    for (const change of [
      { issuer: "https://10.0.0.1/" },
      { issuer: "no URL" },
      { domains: [] },
      { domains: ["no domain"] },
      { domains: Array.from({ length: 11 }, (_, index) => `d${index}.example`) },
      { clientId: " " },
      { clientSecret: "" }
    ]) {
      assert.strictEqual((yield* admin("PUT", path, { ...setting, ...change })).status, 400, JSON.stringify(change))
    }
    const stored = yield* admin("PUT", path, setting)
    assert.deepStrictEqual((yield* admin("GET", path)).json, stored.json)
    assert.notInclude(JSON.stringify(stored.json), openIdClient.clientSecret)
    const taken = yield* admin("PUT", other.path, { ...other.setting, domains: setting.domains })
    assert.deepStrictEqual([taken.status, taken.json.title], [409, "Domain taken"])
    other.provider.setDown(true)
    const unusable = yield* admin("PUT", other.path, other.setting)
    assert.deepStrictEqual([unusable.status, unusable.json.title], [422, "Provider not usable"])
    const unknown = path.replace(clinic.organizationId, "3b241101-e2bb-4255-8caf-4136c566a962")
    assert.strictEqual((yield* admin("PUT", unknown, setting)).status, 404)
  })

  it("is the only way in where it is required: a request for a code is answered as always, and none is sent", function* () {
    const { email, path, setting } = yield* makeClinicWithProvider
    yield* signInStaff(email)
    const before = yield* codeMessagesTo(email)
    yield* admin("PUT", path, { ...setting, isRequired: true })
    const answer = yield* asStaff("POST", "/session/code", undefined, { body: { email } })
    assert.deepStrictEqual([answer.status, answer.json], [204, undefined])
    yield* jobsDone("auth", "staff-code-request")
    yield* jobsDone("auth", "code-sending")
    assert.deepStrictEqual(yield* codeMessagesTo(email), before)
  })
})
