import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { usStates } from "@care/domain/http"
import { magicCards, magicCode, magicValues, refusedPostalCode, unlicensedState } from "@care/domain/magicValues"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin, call } from "./harness/call.ts"
import { inDatabase } from "./harness/database.ts"
import { addEndpoint } from "./harness/endpoints.ts"
import { addStaff, type Clinic, caseBody, createCase, makeClinic, makeSandbox, newPatient } from "./harness/fixtures.ts"
import { untilAllEnded } from "./harness/jobsOf.ts"
import { metricsOf } from "./harness/metricsOf.ts"
import { orderBody, placeOrder } from "./harness/placeOrder.ts"
import { receiveEvents } from "./harness/receiveEvents.ts"
import { Suite } from "./harness/Suite.ts"
import { codeSentTo, sendCode, verifyCode } from "./harness/signIn.ts"
import { asStaff } from "./harness/staff.ts"
import { askStripe } from "./harness/stripe.ts"
import { ofSandboxes } from "./harness/testAccounts.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

testsOn(Suite.shared, "magic values", (it) => {
  const bothModes = Effect.gen(function* () {
    const live = yield* makeClinic
    return { live, sandbox: yield* makeSandbox(live) }
  })

  const createdCase = (clinic: Clinic, changes: object = {}) =>
    Effect.map(
      createCase(clinic, caseBody(clinic, { user: { ...newPatient(), ...changes } })),
      ({ json }): string => json.data.caseId
    )

  // A patient to whom a code was sent, which is another one than the magic code.
  const patientWithCode = Effect.fnUntraced(function* (clinic: Clinic) {
    const { email, ...user } = newPatient()
    yield* createCase(clinic, caseBody(clinic, { user: { ...user, email } }))
    yield* sendCode(clinic.key, { email })
    assert.notStrictEqual(yield* codeSentTo(email), magicCode)
    return email
  })

  it("are in the guide, as they are here", function* () {
    const guide = readFileSync(join(import.meta.dirname, "..", "..", "docs", "guides", "testing.md"), "utf8")
    const rows = [...guide.matchAll(/^\| `([^`]+)`\s*\| ([^|]+?)\s*\| ([^|]+?)\s*\|$/gm)]
    assert.deepStrictEqual(
      rows.map(([, value = "", where = "", outcome = ""]) => ({ value, in: where, outcome })),
      [...magicValues]
    )
  })

  it("the code 000000 signs in a patient of a sandbox to whom a code was sent, once, and nobody else", function* () {
    const { live, sandbox } = yield* bothModes
    const email = yield* patientWithCode(sandbox)
    const withMagicCode = { email, code: magicCode }
    const signedIn = yield* verifyCode(sandbox.key, withMagicCode)
    assert.strictEqual(signedIn.status, 200)
    assert.isString(signedIn.json.accessToken)
    assert.strictEqual((yield* verifyCode(sandbox.key, withMagicCode)).status, 401)
    const { email: withoutCode, ...user } = newPatient()
    yield* createCase(sandbox, caseBody(sandbox, { user: { ...user, email: withoutCode } }))
    assert.strictEqual((yield* verifyCode(sandbox.key, { email: withoutCode, code: magicCode })).status, 401)
    assert.strictEqual((yield* verifyCode(sandbox.key, { email: "nobody@example.com", code: magicCode })).status, 401)

    const ofLive = yield* patientWithCode(live)
    assert.strictEqual((yield* verifyCode(live.key, { email: ofLive, code: magicCode })).status, 401)
    assert.strictEqual((yield* verifyCode(sandbox.key, { email: ofLive, code: magicCode })).status, 401)
    // Neither a claim of the caller nor a row that should not be there makes a live organization a sandbox.
    const claims = { "care-mode": "test", "x-care-identity": "x", "x-care-test": "true" }
    const claimed = yield* call("POST", "/api/v1/users/auth/verify-otp", {
      key: live.key,
      headers: claims,
      body: { email: ofLive, code: magicCode }
    })
    assert.strictEqual(claimed.status, 401)
    yield* inDatabase(
      "auth",
      (sql) => sql`INSERT INTO auth.test_organizations (organization_id) VALUES (${live.organizationId})`
    )
    assert.strictEqual((yield* verifyCode(live.key, { email: ofLive, code: magicCode })).status, 401)
    assert.strictEqual((yield* verifyCode(live.key, { email: ofLive, code: yield* codeSentTo(ofLive) })).status, 200)
  })

  it("the code 000000 signs in no member of staff, also of a sandbox", function* () {
    const { sandbox } = yield* bothModes
    const email = `magic.${sandbox.organizationId}@clinic.example.com`
    yield* addStaff(sandbox, { email, role: "SUPPORT" })
    yield* asStaff("POST", "/session/code", "", { body: { email } })
    const code = yield* codeSentTo(email)
    assert.notStrictEqual(code, magicCode)
    const refused = yield* asStaff("POST", "/session", "", { body: { email, code: magicCode } })
    assert.strictEqual(refused.status, 401)
  })

  it("an SMS to a number without SMS is not delivered, and others are", function* () {
    const { sandbox } = yield* bothModes
    for (const [phoneNumber, isDelivered] of [
      ["+15005550123", false],
      ["+14155550123", true]
    ] as const) {
      yield* createdCase(sandbox, { phoneNumber })
      assert.strictEqual((yield* sendCode(sandbox.key, { phoneNumber })).status, 200)
      const path = `/api/v1/test/messages?to=${encodeURIComponent(phoneNumber)}`
      const { json } = yield* until(call("GET", path, { key: sandbox.key }), (answer) => answer.json.data.length > 0)
      assert.deepInclude(json.data[0], { channel: "SMS", to: phoneNumber, isDelivered })
    }
  })

  it(`nobody is licensed in ${unlicensedState} in a sandbox, and in a live organization whoever is`, function* () {
    const { live, sandbox } = yield* bothModes
    yield* addStaff(live, { licensedStates: [...usStates.keys()] })
    const { shippingAddress } = newPatient()
    const statusAfterJobs = Effect.fnUntraced(function* (clinic: Clinic, state: string) {
      const caseId = yield* createdCase(clinic, { shippingAddress: { ...shippingAddress, state } })
      yield* untilAllEnded(clinic)
      return (yield* admin("GET", `/cases/${caseId}`)).json.status
    })
    assert.strictEqual(yield* statusAfterJobs(sandbox, "CA"), "ASSIGNED")
    assert.strictEqual(yield* statusAfterJobs(sandbox, unlicensedState), "OPEN")
    assert.strictEqual(yield* statusAfterJobs(live, unlicensedState), "ASSIGNED")
  })

  it("the pharmacy of a sandbox refuses an order to its postal code, and a live one does not", function* () {
    const { live, sandbox } = yield* bothModes
    const { shippingAddress, ...order } = orderBody()
    const statusOf = Effect.fnUntraced(function* (clinic: Clinic, postalCode: string) {
      const caseId = yield* createdCase(clinic)
      const placed = yield* placeOrder(clinic, caseId, {
        ...order,
        shippingAddress: { ...shippingAddress, postalCode }
      })
      assert.strictEqual(placed.status, 200)
      yield* untilAllEnded(clinic)
      const { json } = yield* call("GET", `/api/v1/cases/${caseId}/orders`, { key: clinic.key })
      return json.data[0].status
    })
    assert.strictEqual(yield* statusOf(sandbox, refusedPostalCode), "ERROR")
    assert.strictEqual(yield* statusOf(sandbox, "94105"), "SUBMITTED")
    assert.strictEqual(yield* statusOf(live, refusedPostalCode), "SUBMITTED")
  })

  it("the answer to a creation is lost once in a sandbox, and a repetition finds the case", function* () {
    const { live, sandbox } = yield* bothModes
    const send = (clinic: Clinic) => {
      const body = caseBody(clinic, { user: { ...newPatient(), email: `answer-lost+${randomUUID()}@example.com` } })
      const headers = { "idempotency-key": randomUUID() }
      return call("POST", "/api/v1/cases", { key: clinic.key, body, headers })
    }
    // Alerts leave out what sandboxes choose.
    const { urls } = yield* Suite
    const unavailable = Effect.map(metricsOf(urls.gateway), (text) =>
      ["live", "test"].map((mode) => {
        const series = new RegExp(
          `^http_server_request_duration_seconds_count\\{.*mode="${mode}",.*status="503".*\\} (\\d+)$`,
          "gm"
        )
        return Array.from(text.matchAll(series), ([, count]) => Number(count)).reduce((sum, count) => sum + count, 0)
      })
    )
    const [ofLive = 0, ofTest = 0] = yield* unavailable
    const first = send(sandbox)
    const lost = yield* first
    assert.strictEqual(lost.status, 503)
    const [ofLiveAfter, ofTestAfter = 0] = yield* unavailable
    assert.strictEqual(ofLiveAfter, ofLive)
    assert.isAbove(ofTestAfter, ofTest)
    assert.isAbove(Number(lost.headers.get("retry-after")), 0)
    const { data } = (yield* call("GET", "/api/v1/cases", { key: sandbox.key })).json
    assert.lengthOf(data, 1)
    const again = yield* first
    assert.deepStrictEqual([again.status, again.json.data.caseId], [200, data[0].id])
    assert.strictEqual((yield* send(live)).status, 200)
  })

  it("an endpoint of a sandbox gets each event twice, with one id, and one of a live organization once", function* () {
    const { live, sandbox } = yield* bothModes
    const eventsOf = Effect.fnUntraced(function* (clinic: Clinic, count: number) {
      const receiver = yield* receiveEvents
      const eventTypes = ["case.created"]
      yield* addEndpoint(clinic, { url: `${receiver.url}?deliver=twice`, eventTypes })
      const plain = yield* receiveEvents
      yield* addEndpoint(clinic, { url: plain.url, eventTypes })
      yield* createdCase(clinic)
      yield* receiver.arrived(count)
      // The next event shows that no more of the first one come.
      yield* createdCase(clinic)
      yield* receiver.arrived(2 * count)
      yield* plain.arrived(2)
      assert.lengthOf(plain.received, 2)
      return receiver.received.map(({ headers }) => headers["webhook-id"])
    })
    const twice = yield* eventsOf(sandbox, 2)
    assert.lengthOf(twice, 4)
    assert.strictEqual(new Set(twice).size, 2)
    const once = yield* eventsOf(live, 1)
    assert.lengthOf(once, 2)
    assert.strictEqual(new Set(once).size, 2)
  })

  // Live mode of Stripe refuses all test cards.
  it("cards are declined, need authentication, and are disputed, as Stripe's are", function* () {
    const pay = (number: string) =>
      ofSandboxes(
        askStripe(async (stripe) => {
          const card = { number, exp_month: 12, exp_year: 2034, cvc: "123" }
          const { id } = await stripe.paymentMethods.create({ type: "card", card })
          const intent = await stripe.paymentIntents
            .create({
              amount: 9900,
              currency: "usd",
              payment_method: id,
              allowed_payment_method_types: ["card"],
              confirm: true
            })
            .catch((error: unknown) => (error instanceof Error && "code" in error ? { status: error.code } : undefined))
          const charges = "id" in (intent ?? {}) ? await stripe.charges.list({ limit: 1 }) : undefined
          return { status: intent?.status, isDisputed: charges?.data[0]?.disputed ?? false }
        })
      )
    assert.deepStrictEqual(yield* pay(magicCards.declined), { status: "card_declined", isDisputed: false })
    assert.strictEqual((yield* pay(magicCards.authenticated)).status, "requires_action")
    assert.strictEqual((yield* pay(magicCards.disputed)).status, "succeeded")
    assert.strictEqual((yield* until(pay(magicCards.disputed), ({ isDisputed }) => isDisputed)).status, "succeeded")
  })
})
