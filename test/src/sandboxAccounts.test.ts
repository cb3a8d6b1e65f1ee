import { randomUUID } from "node:crypto"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Webhook } from "standardwebhooks"
import { appointmentsOf, book, bookingBody, openSlot } from "./harness/appointments.ts"
import { call, expectAnswer } from "./harness/call.ts"
import { inDatabase } from "./harness/database.ts"
import { type Clinic, caseBody, createCase, makeClinic, makeSandbox } from "./harness/fixtures.ts"
import { createAbandonedCase, succeeded, untilEventsHandled } from "./harness/gatewayEvents.ts"
import { untilAllEnded } from "./harness/jobsOf.ts"
import { idIn } from "./harness/paymentSetup.ts"
import { pharmacyOrder, sendOrderUpdate } from "./harness/pharmacy.ts"
import { orderBody, placeOrder } from "./harness/placeOrder.ts"
import { sendSchedulingEvent } from "./harness/providerEvents.ts"
import { Suite } from "./harness/Suite.ts"
import { meetingsOf } from "./harness/schedulingProvider.ts"
import { codeSentTo, sendCode } from "./harness/signIn.ts"
import { signInStaff } from "./harness/staff.ts"
import { askStripe, sendEvent } from "./harness/stripe.ts"
import { ofSandboxes } from "./harness/testAccounts.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

const clinicWithCase = (clinic: Clinic) =>
  Effect.gen(function* () {
    const body = caseBody(clinic)
    const created = yield* createCase(clinic, body)
    return { clinic, caseId: String(created.json.data.caseId), email: body.user.email }
  })

/** Makes a live organization and its sandbox, each with a case. */
const both = Effect.gen(function* () {
  const live = yield* makeClinic
  const sandbox = yield* makeSandbox(live)
  return { live: yield* clinicWithCase(live), sandbox: yield* clinicWithCase(sandbox) }
})

const newIntent = ({ key }: Pick<Clinic, "key">) =>
  Effect.map(call("POST", "/api/v1/payments/intent", { key, body: { amount: 299 } }), ({ json }) =>
    idIn(json.data.paymentIntentSecret)
  )

const isAtStripe = (id: string) =>
  askStripe((stripe) =>
    stripe.paymentIntents.retrieve(id).then(
      () => true,
      () => false
    )
  )

type Case = Effect.Success<ReturnType<typeof clinicWithCase>>

const ordered = ({ caseId, clinic }: Case) =>
  Effect.map(placeOrder(clinic, caseId, orderBody()), ({ json }): string => json.data.order.id)

const orderOf = ({ caseId, clinic }: Case) =>
  Effect.map(
    call("GET", `/api/v1/customer-case-detail?caseId=${caseId}&includeOrders=true`, { key: clinic.key }),
    ({ json }) => json.caseDetail.orders[0]
  )

const booked = Effect.fnUntraced(function* ({ clinic, email }: Case) {
  const answer = yield* book(clinic, bookingBody(email, yield* openSlot(clinic)))
  assert.strictEqual(answer.status, 200)
})

const untilSubmitted = (order: Case) => until(orderOf(order), ({ status }) => status === "SUBMITTED")

testsOn(Suite.layer, "third parties of sandboxes", (it) => {
  it("a live organization's payments are at the live account, a sandbox's at the other one", function* () {
    const { live, sandbox } = yield* both
    const [ofLive, ofSandbox] = [yield* newIntent(live.clinic), yield* newIntent(sandbox.clinic)]
    assert.deepStrictEqual([yield* isAtStripe(ofLive), yield* isAtStripe(ofSandbox)], [true, false])
    const atOther = Effect.all([isAtStripe(ofLive), isAtStripe(ofSandbox)])
    assert.deepStrictEqual(yield* ofSandboxes(atOther), [false, true])
  })

  it("an event of one account of Stripe changes no payment of the other mode", function* () {
    const { live, sandbox } = yield* both
    for (const [own, isSandbox] of [
      [live, false],
      [sandbox, true]
    ] as const) {
      const { clinic } = own
      const intent = yield* newIntent(clinic)
      const caseId = yield* createAbandonedCase(clinic, intent)
      const statusOf = Effect.map(
        call("GET", `/api/v1/cases/${caseId}/payments`, { key: clinic.key }),
        ({ json }): string => json.data[0].status
      )
      const signed = (isTest: boolean) => {
        const sent = sendEvent(succeeded(intent, clinic.organizationId))
        const unnamed = sendEvent(succeeded(intent))
        return isTest ? ofSandboxes(Effect.all([sent, unnamed])) : Effect.all([sent, unnamed])
      }
      for (const { status } of yield* signed(!isSandbox)) assert.strictEqual(status, 200)
      yield* untilEventsHandled
      assert.strictEqual(yield* statusOf, "UNPAID")
      for (const { status } of yield* signed(isSandbox)) assert.strictEqual(status, 200)
      yield* untilEventsHandled
      assert.strictEqual(yield* statusOf, "PAID")
    }
    const forged = yield* sendEvent(succeeded(`pi_${randomUUID()}`), { secret: "whsec_of_somebody_else" })
    assert.strictEqual(forged.status, 401)
  })

  it("a live organization's orders are at the pharmacy, a sandbox's at the other one, and so are its callbacks", function* () {
    const { live, sandbox } = yield* both
    const [ofLive, ofSandbox] = [yield* ordered(live), yield* ordered(sandbox)]
    yield* untilSubmitted(live)
    yield* untilSubmitted(sandbox)
    const isTaken = (id: string) => Effect.map(pharmacyOrder(id), ({ taken }) => taken !== null)
    const taken = Effect.all([isTaken(ofLive), isTaken(ofSandbox)])
    assert.deepStrictEqual(
      [yield* taken, yield* ofSandboxes(taken)],
      [
        [true, false],
        [false, true]
      ]
    )
    assert.strictEqual(yield* sendOrderUpdate(ofSandbox, { status: "SHIPPED" }), 404)
    assert.strictEqual(yield* ofSandboxes(sendOrderUpdate(ofLive, { status: "SHIPPED" })), 404)
    assert.strictEqual((yield* orderOf(live)).status, "SUBMITTED")
    assert.strictEqual(yield* ofSandboxes(sendOrderUpdate(ofSandbox, { status: "SHIPPED" })), 200)
    assert.strictEqual(yield* sendOrderUpdate(ofLive, { status: "DELIVERED" }), 200)
    assert.deepStrictEqual([(yield* orderOf(live)).status, (yield* orderOf(sandbox)).status], ["DELIVERED", "SHIPPED"])
    const raw = JSON.stringify({ data: { externalId: ofLive, status: "CANCELED" } })
    const signature = new Webhook(`whsec_${Buffer.alloc(32).toString("base64")}`).sign("1", new Date(), raw)
    const headers = { "webhook-id": "1", "webhook-signature": signature, "webhook-timestamp": "1" }
    assert.strictEqual((yield* call("POST", "/webhooks/pharmacy", { raw, headers })).status, 401)
  })

  it("a live organization's meetings are at the provider, a sandbox's at the other one, and so are its events", function* () {
    const { live, sandbox } = yield* both
    yield* booked(live)
    yield* booked(sandbox)
    const counts = Effect.map(Effect.all([meetingsOf(live.email), meetingsOf(sandbox.email)]), (found) =>
      found.map(({ length }) => length)
    )
    assert.deepStrictEqual(
      [yield* counts, yield* ofSandboxes(counts)],
      [
        [1, 0],
        [0, 1]
      ]
    )
    for (const [own, isSandbox] of [
      [live, false],
      [sandbox, true]
    ] as const) {
      const [event] = yield* appointmentsOf(own.clinic, own.email)
      const uri = `https://api.calendly.com/scheduled_events/${event.agentEventId}`
      const payload = { uri: `${uri}/invitees/1`, event: uri, rescheduled: false, old_invitee: null }
      const send = sendSchedulingEvent({ event: "invitee.canceled", created_at: new Date().toISOString(), payload })
      const sent = (isTest: boolean) => Effect.map(isTest ? ofSandboxes(send) : send, ({ status }) => status)
      assert.strictEqual(yield* sent(!isSandbox), 200)
      assert.lengthOf(yield* appointmentsOf(own.clinic, own.email), 1)
      assert.strictEqual(yield* sent(isSandbox), 200)
      assert.deepStrictEqual(yield* appointmentsOf(own.clinic, own.email), [])
    }
  })
})

testsOn(Suite.layer, "GET /api/v1/test/messages", (it) => {
  const path = "/api/v1/test/messages"
  const listed = (key: string, query = "") => call("GET", `${path}${query}`, { key })
  const receivers = (key: string, query = "") =>
    Effect.map(listed(key, query), ({ json, status }): ReadonlyArray<string> => {
      assert.strictEqual(status, 200)
      return json.data.map(({ to }: { readonly to: string }) => to)
    })

  /** Waits until all notices about the cases of an organization were sent. */
  const allTold = Effect.fnUntraced(function* (clinic: Clinic) {
    yield* untilAllEnded(clinic)
    const waiting = inDatabase(
      "cases",
      (sql) => sql`
        SELECT FROM cases.case_activity WHERE organization_id = ${clinic.organizationId} AND awaits_notice
      `
    )
    yield* until(waiting, ({ length }) => length === 0)
    yield* untilAllEnded(clinic)
  })

  it("200: lists the codes and notices of the sandbox alone, newest first, in pages, and to a receiver", function* () {
    const { live, sandbox } = yield* both
    const [other, own] = [yield* makeSandbox(yield* makeClinic), sandbox.clinic.key]
    for (const { clinic, email } of [live, sandbox]) yield* sendCode(clinic.key, { email })
    yield* codeSentTo(live.email)
    yield* until(receivers(own), (found) => found.includes(sandbox.email))
    const phone = caseBody(sandbox.clinic)
    yield* createCase(sandbox.clinic, phone)
    yield* allTold(sandbox.clinic)
    yield* sendCode(own, { phoneNumber: phone.user.phoneNumber })
    yield* until(receivers(own), (found) => found[0] === phone.user.phoneNumber)
    const all = yield* receivers(own)
    assert.notInclude(all, live.email)
    assert.deepStrictEqual(yield* receivers(own, `?to=${encodeURIComponent(phone.user.phoneNumber)}`), [
      phone.user.phoneNumber
    ])
    const { json } = yield* listed(own, "?limit=1")
    assert.deepInclude(json.data[0], { channel: "SMS", subject: null })
    const rest = yield* receivers(own, `?limit=100&cursor=${encodeURIComponent(json.nextCursor)}`)
    assert.deepStrictEqual([phone.user.phoneNumber, ...rest], all)
    assert.deepStrictEqual(yield* receivers(other.key), [])
    assert.deepStrictEqual(yield* receivers(other.key, `?to=${sandbox.email}`), [])
  })

  it("lists no code of the sandbox's staff, who sign in wherever its clock is", function* () {
    const sandbox = yield* makeSandbox(yield* makeClinic)
    yield* call("POST", "/api/v1/test/clock/advance", { key: sandbox.key, body: { by: "P30D" } })
    const [member] = yield* inDatabase(
      "auth",
      (sql) => sql<{ email: string }>`
        SELECT email FROM auth.users WHERE organization_id = ${sandbox.organizationId} AND role <> 'USER' LIMIT 1
      `
    )
    const { email } = member ?? assert.fail("The sandbox has no staff")
    // With the code that the operator sees.
    assert.strictEqual((yield* signInStaff(email)).status, 201)
    const patient = caseBody(sandbox)
    yield* createCase(sandbox, patient)
    yield* sendCode(sandbox.key, { email: patient.user.email })
    yield* until(receivers(sandbox.key), (found) => found.includes(patient.user.email))
    assert.notInclude(yield* receivers(sandbox.key), email)
    assert.deepStrictEqual(yield* receivers(sandbox.key, `?to=${encodeURIComponent(email)}`), [])
  })

  it("403: a live key; 401: no key; 400: a malformed cursor", function* () {
    const { live, sandbox } = yield* both
    const refused = yield* listed(live.clinic.key)
    assert.strictEqual(refused.status, 403)
    assert.include(JSON.stringify(refused.json), "This operation needs a test key")
    assert.strictEqual((yield* call("GET", path)).status, 401)
    const malformed = yield* listed(sandbox.clinic.key, "?cursor=nonsense")
    assert.deepStrictEqual([malformed.status, malformed.json.success], [400, false])
  })
})

const without = [
  "TEST_STRIPE_SECRET_KEY",
  "TEST_STRIPE_WEBHOOK_SECRET",
  "TEST_PHARMACY_API_URL",
  "TEST_SCHEDULING_API_URL"
]

testsOn(Suite.layerWith({}, without), "without accounts for sandboxes", (it) => {
  it("a sandbox's payments and bookings are a 503, its orders count as handed over, and nothing reaches the live accounts", function* () {
    const { live, sandbox } = yield* both
    const known = `${randomUUID()}@example.com`
    const paid = yield* call("POST", "/api/v1/payments/intent", {
      key: live.clinic.key,
      body: { amount: 299, metadata: { email: known } }
    })
    assert.strictEqual(paid.status, 200)
    yield* booked(live)
    const ofLive = yield* ordered(live)
    yield* untilSubmitted(live)
    assert.isNotNull((yield* pharmacyOrder(ofLive)).taken)

    const email = `${randomUUID()}@example.com`
    const { key } = sandbox.clinic
    const payment = yield* call("POST", "/api/v1/payments/intent", { key, body: { amount: 299, metadata: { email } } })
    assert.strictEqual(payment.status, 503)
    const customers = yield* askStripe((stripe) => stripe.customers.list({ limit: 100 }))
    const emails = customers.data.map((customer) => customer.email)
    assert.include(emails, known)
    assert.notInclude(emails, email)

    const startTime = "2060-08-02T15:00:00.000Z"
    yield* expectAnswer(book(sandbox.clinic, bookingBody(sandbox.email, startTime)), 503, {
      status: 503,
      success: false,
      message: "Invalid request",
      error: "No scheduling provider is configured"
    })
    assert.lengthOf(yield* meetingsOf(live.email), 1)
    assert.deepStrictEqual(yield* meetingsOf(sandbox.email), [])

    const ofSandbox = yield* ordered(sandbox)
    assert.strictEqual((yield* untilSubmitted(sandbox)).pharmacyName, "")
    assert.deepStrictEqual(yield* pharmacyOrder(ofSandbox), { taken: null, received: [] })
  })
})
