import { randomUUID } from "node:crypto"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import StripeClient from "stripe"
import { admin, call } from "./harness/call.ts"
import { inDatabase } from "./harness/database.ts"
import { addStaff, caseBody, createCase, decisionBody, makeClinic } from "./harness/fixtures.ts"
import {
  activityTypesOf,
  archived,
  caseOf,
  createAbandonedCase,
  eventOf,
  failed,
  intentId,
  opened,
  paymentOf,
  sendAll,
  succeeded,
  untilEventsHandled,
  waiting
} from "./harness/gatewayEvents.ts"
import { closeCase } from "./harness/placeOrder.ts"
import { paid, paymentIntent } from "./harness/references.ts"
import { Suite } from "./harness/Suite.ts"
import { askStripe, atStripe, sendEvent, signedAs } from "./harness/stripe.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

testsOn(Suite.layer, "events of the gateway", (it) => {
  it("open the abandoned case when its intent succeeds at the gateway, and set its payment to PAID", function* () {
    const clinic = yield* makeClinic
    const intent = yield* askStripe((stripe) =>
      stripe.paymentIntents.create({ amount: 29_900, currency: "usd", allowed_payment_method_types: ["klarna"] })
    )
    const caseId = yield* createAbandonedCase(clinic, intent.id)
    assert.deepStrictEqual(yield* caseOf(caseId), waiting)
    const stripe = yield* atStripe
    yield* askStripe((client) =>
      client.paymentIntents.confirm(intent.id, {
        payment_method_data: { type: "klarna" },
        return_url: "https://shop.example.com"
      })
    )
    yield* stripe.authorize(intent.id)
    yield* until(caseOf(caseId), ({ status }) => status === "OPEN")
    assert.deepStrictEqual(yield* caseOf(caseId), opened)
    assert.strictEqual((yield* paymentOf(caseId)).status, "PAID")
    assert.deepStrictEqual(yield* activityTypesOf(caseId), ["CASE_CREATED", "PAYMENT_CHANGED", "CASE_OPENED"])
  })

  it("archive the abandoned case when its intent fails at the gateway, with the note that says so", function* () {
    const clinic = yield* makeClinic
    const intent = yield* askStripe((stripe) =>
      stripe.paymentIntents.create({ amount: 29_900, currency: "usd", allowed_payment_method_types: ["affirm"] })
    )
    const caseId = yield* createAbandonedCase(clinic, intent.id)
    yield* askStripe((client) =>
      client.paymentIntents.confirm(intent.id, {
        payment_method_data: { type: "affirm" },
        return_url: "https://shop.example.com"
      })
    )
    yield* Effect.flatMap(atStripe, (stripe) => stripe.fail(intent.id))
    yield* until(caseOf(caseId), ({ isArchived }) => isArchived)
    assert.deepStrictEqual(yield* caseOf(caseId), archived)
    assert.strictEqual((yield* paymentOf(caseId)).status, "UNPAID")
  })

  it("about failures do not change an open or closed case", function* () {
    const clinic = yield* makeClinic
    const intents = [intentId(), intentId()] as const
    const open = yield* createAbandonedCase(clinic, intents[0])
    yield* call("POST", `/api/v1/cases/${open}`, {
      key: clinic.key,
      body: { action: "CHANGE_CASE_STATUS", status: "OPEN" }
    })
    const closed = yield* createAbandonedCase(clinic, intents[1])
    yield* closeCase(clinic, closed)
    yield* sendAll(failed(intents[0]), failed(intents[1]))
    assert.deepStrictEqual(yield* caseOf(open), opened)
    assert.deepStrictEqual(yield* caseOf(closed), { ...archived, archiveNote: null })
  })

  it("about a success after a failure restore the case, and late failures change nothing", function* () {
    const clinic = yield* makeClinic
    const intent = intentId()
    const caseId = yield* createAbandonedCase(clinic, intent)
    yield* sendAll(failed(intent))
    assert.deepStrictEqual(yield* caseOf(caseId), archived)
    yield* sendAll(succeeded(intent))
    assert.deepStrictEqual(yield* caseOf(caseId), opened)
    yield* sendAll(failed(intent))
    assert.deepStrictEqual(yield* caseOf(caseId), opened)
    assert.strictEqual((yield* paymentOf(caseId)).status, "PAID")
  })

  it("that arrive late undo no decision and no closing: only the payment changes", function* () {
    const clinic = yield* makeClinic
    const provider = yield* addStaff(clinic)
    const decide = (caseId: string, isApproved: boolean) =>
      admin("POST", `/cases/${caseId}/decisions`, decisionBody(provider, { isApproved }))
    const reference = { amount: 10, currency: "USD" }

    // Paid at creation, and closed before the event of the payment.
    const paidAtOnce = yield* createCase(
      clinic,
      caseBody(clinic, { isTest: true, payment: { ...reference, providerReference: yield* paymentIntent(paid) } })
    )
    const closedAtOnce: string = paidAtOnce.json.data.caseId
    yield* closeCase(clinic, closedAtOnce)

    for (const [isApproved, status] of [
      [true, "APPROVED"],
      [false, "REJECTED"]
    ] as const) {
      const intent = yield* paymentIntent()
      const created = yield* createCase(
        clinic,
        caseBody(clinic, { isTest: true, payment: { ...reference, providerReference: intent } })
      )
      const caseId: string = created.json.data.caseId
      assert.strictEqual((yield* admin("POST", `/cases/${caseId}/assign`, { providerId: provider })).status, 200)
      assert.strictEqual((yield* decide(caseId, isApproved)).status, 201)
      yield* closeCase(clinic, caseId)
      yield* sendAll(succeeded(intent.id), failed(intent.id), succeeded(intent.id))
      assert.deepStrictEqual(yield* caseOf(caseId), { status, isArchived: true, archiveNote: null })
      assert.strictEqual((yield* paymentOf(caseId)).status, "PAID")
    }
    assert.deepStrictEqual(yield* caseOf(closedAtOnce), { ...opened, isArchived: true })
    assert.strictEqual((yield* paymentOf(closedAtOnce)).status, "PAID")
  })

  it("take effect whatever characters their texts contain", function* () {
    const intent = intentId()
    const caseId = yield* createAbandonedCase(yield* makeClinic, intent)
    const paid = { id: intent, amount: 29_900, currency: "usd", status: "succeeded" }
    yield* sendAll(eventOf("payment_intent.succeeded", { ...paid, description: "Paid \u0000 by \ud800" }))
    assert.deepStrictEqual(yield* caseOf(caseId), opened)
    assert.strictEqual((yield* paymentOf(caseId)).status, "PAID")
  })

  it("take effect once: a case that was closed meanwhile stays closed when they are repeated", function* () {
    const clinic = yield* makeClinic
    const intent = intentId()
    const caseId = yield* createAbandonedCase(clinic, intent)
    const event = succeeded(intent)
    const answers = yield* Effect.all(
      Array.from({ length: 20 }, () => sendEvent(event)),
      { concurrency: "unbounded" }
    )
    assert.deepStrictEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    yield* untilEventsHandled
    const types = yield* activityTypesOf(caseId)
    assert.deepStrictEqual(
      types.filter((type) => type === "CASE_OPENED"),
      ["CASE_OPENED"]
    )
    yield* closeCase(clinic, caseId)
    yield* sendAll(event, succeeded(intent))
    assert.isTrue((yield* caseOf(caseId)).isArchived)
  })

  it("that arrive before the case with their intent take effect when the case is created", function* () {
    const clinic = yield* makeClinic
    const [first, second] = [intentId(), intentId()]
    yield* sendAll(succeeded(first), failed(second))
    const paid = yield* createAbandonedCase(clinic, first)
    const unpaid = yield* createAbandonedCase(clinic, second)
    yield* untilEventsHandled
    assert.deepStrictEqual([yield* caseOf(paid), yield* caseOf(unpaid)], [opened, archived])
  })

  it("about an intent of one organization do not change another organization's case that names it", function* () {
    const [clinic, foreign] = [yield* makeClinic, yield* makeClinic]
    const intent = intentId()
    const thief = yield* createAbandonedCase(foreign, intent)
    const caseId = yield* createAbandonedCase(clinic, intent)
    const { data, ...event } = succeeded(intent)
    const metadata = { organizationId: clinic.organizationId }
    yield* sendAll({ ...event, data: { object: { ...Object(data.object), metadata } } })
    assert.deepStrictEqual(yield* caseOf(caseId), opened)
    assert.deepStrictEqual(yield* caseOf(thief), waiting)
    // Also if the case names the intent after its owner is known.
    const late = yield* createAbandonedCase(yield* makeClinic, intent)
    yield* untilEventsHandled
    assert.deepStrictEqual(yield* caseOf(late), waiting)
    assert.strictEqual((yield* paymentOf(late)).status, "UNPAID")
  })

  it("move a payment on: refunded in part, disputed, won, lost", function* () {
    const clinic = yield* makeClinic
    const stripe = yield* atStripe
    const paid = Effect.gen(function* () {
      const intent = yield* askStripe((client) =>
        client.paymentIntents.create({
          amount: 29_900,
          currency: "usd",
          payment_method: "pm_card_visa",
          allowed_payment_method_types: ["card"],
          confirm: true
        })
      )
      const caseId = yield* createAbandonedCase(clinic, intent.id)
      const reaches = (status: string) => until(paymentOf(caseId), (payment) => payment.status === status)
      yield* reaches("PAID")
      return { intent, reaches }
    })

    const refunded = yield* paid
    yield* askStripe((client) => client.refunds.create({ payment_intent: refunded.intent.id, amount: 100 }))
    yield* refunded.reaches("REFUND")

    const won = yield* paid
    const dispute = yield* stripe.dispute(won.intent.id)
    yield* won.reaches("IN_DISPUTE")
    yield* stripe.moveDispute(dispute.id, "won")
    yield* won.reaches("PAID")

    const lost = yield* paid
    const other = yield* stripe.dispute(lost.intent.id)
    yield* lost.reaches("IN_DISPUTE")
    yield* stripe.moveDispute(other.id, "lost")
    yield* lost.reaches("LOST_DISPUTE")
    // Won by an appeal.
    yield* stripe.moveDispute(other.id, "won")
    yield* lost.reaches("PAID")
  })

  it("about a dispute count in the gateway's order: a won appeal, and an earlier loss that arrives late", function* () {
    const clinic = yield* makeClinic
    const intentEvent = (intent: string, status: string, created: number) => ({
      ...eventOf("charge.dispute.closed", { id: `dp_${intent}`, payment_intent: intent, status }),
      created
    })
    const intent = intentId()
    const caseId = yield* createAbandonedCase(clinic, intent)
    const statusAfter = Effect.fnUntraced(function* (status: string, created: number) {
      yield* sendAll(intentEvent(intent, status, created))
      return (yield* paymentOf(caseId)).status
    })
    yield* sendAll(succeeded(intent))
    assert.strictEqual(yield* statusAfter("lost", 100), "LOST_DISPUTE")
    assert.strictEqual(yield* statusAfter("won", 200), "PAID")
    assert.strictEqual(yield* statusAfter("lost", 150), "PAID")
    assert.strictEqual(yield* statusAfter("needs_response", 50), "PAID")
    assert.deepStrictEqual(yield* caseOf(caseId), opened)
  })

  it("about an inquiry change no status and prevent no refund, until it becomes a dispute", function* () {
    const clinic = yield* makeClinic
    const stripe = yield* atStripe
    const inquire = Effect.fnUntraced(function* (ended: "warning_closed" | "needs_response") {
      const { id: intent } = yield* paymentIntent(paid)
      const caseId = yield* createAbandonedCase(clinic, intent)
      const { id } = yield* until(paymentOf(caseId), ({ status }) => status === "PAID")
      const isTold = (times: number) =>
        until(
          Effect.map(admin("GET", `/payment-events?paymentId=${id}`), ({ json }) =>
            json.data.filter(({ type }: { readonly type: string }) => type.startsWith("charge.dispute."))
          ),
          (disputes) => disputes.length >= times
        )
      const refunds = (amount: number) => admin("POST", `/payments/${id}/refund`, { amount })

      const inquiry = yield* stripe.inquire(intent)
      yield* isTold(1)
      yield* untilEventsHandled
      assert.strictEqual((yield* paymentOf(caseId)).status, "PAID")
      assert.strictEqual((yield* refunds(1)).status, 200)
      yield* stripe.moveDispute(inquiry.id, "warning_under_review")
      yield* isTold(2)
      yield* untilEventsHandled
      assert.strictEqual((yield* refunds(2)).status, 200)
      assert.strictEqual((yield* paymentOf(caseId)).status, "REFUND")
      yield* stripe.moveDispute(inquiry.id, ended)
      yield* isTold(3)
      yield* untilEventsHandled
      return { status: (yield* paymentOf(caseId)).status, refund: (yield* refunds(3)).status }
    })
    assert.deepStrictEqual(yield* inquire("warning_closed"), { status: "REFUND", refund: 200 })
    assert.deepStrictEqual(yield* inquire("needs_response"), { status: "IN_DISPUTE", refund: 409 })
  })

  it("are listed with their results: all of them, and those of a payment", function* () {
    const clinic = yield* makeClinic
    const intent = intentId()
    const caseId = yield* createAbandonedCase(clinic, intent)
    const customer = eventOf("customer.created", { id: "cus_1" })
    const unknown = succeeded(intentId())
    const event = succeeded(intent)
    const sameEvent = succeeded(intent)
    yield* sendAll(customer, unknown, event)
    yield* sendAll(sameEvent)
    const { id } = yield* paymentOf(caseId)
    const list = (query: string) => Effect.map(admin("GET", `/payment-events${query}`), ({ json }) => json.data)
    type Listed = { readonly eventId: string; readonly result: string; readonly status: string | null }
    const summaryOf = ({ eventId, result, status }: Listed) => [eventId, result, status]
    assert.deepStrictEqual((yield* list("?limit=4")).map(summaryOf), [
      [sameEvent.id, "UNCHANGED", "PAID"],
      [event.id, "CHANGED", "PAID"],
      [unknown.id, "NO_PAYMENT", null],
      [customer.id, "IGNORED", null]
    ])
    assert.deepStrictEqual((yield* list(`?paymentId=${id}`)).map(summaryOf), [
      [sameEvent.id, "UNCHANGED", "PAID"],
      [event.id, "CHANGED", "PAID"]
    ])
    assert.strictEqual((yield* admin("GET", `/payment-events?paymentId=${randomUUID()}`)).status, 404)
    assert.strictEqual((yield* admin("GET", "/payment-events?paymentId=1")).status, 400)
  })

  it("that are unsigned, signed long ago or empty are refused, and nothing of them is stored", function* () {
    const { secrets } = yield* Suite
    const intent = intentId()
    const event = succeeded(intent)
    const raw = JSON.stringify(event)
    const send = (body: string, headers: Readonly<Record<string, string>>) =>
      Effect.map(call("POST", "/webhooks/stripe", { raw: body, headers }), ({ status }) => status)
    const by = (secret: string, body = raw, age = 0) => signedAs(body, secret, Math.floor(Date.now() / 1000) - age)
    const secret = secrets.STRIPE_WEBHOOK_SECRET

    assert.strictEqual(yield* send(raw, {}), 401)
    assert.strictEqual(yield* send(raw, by("whsec_another")), 401)
    assert.strictEqual(yield* send(raw, { "stripe-signature": "t=1,v1=abc" }), 401)
    assert.strictEqual(yield* send(raw.replace("succeeded", "canceled"), by(secret)), 401)
    assert.strictEqual(yield* send(raw, by(secret, raw, 301)), 401)
    for (const body of ["{", "[]", '"x"', '{"id":"evt_1"}', '{"id":1,"type":"x","data":{"object":{}}}']) {
      assert.strictEqual(yield* send(body, by(secret, body)), 400, body)
    }
    const storedEvent = inDatabase(
      "payments",
      (sql) => sql`SELECT event_id FROM payments.payment_events WHERE event_id = ${event.id}`
    )
    assert.deepStrictEqual(yield* storedEvent, [])
    assert.strictEqual(yield* send(raw, by(secret, raw, 290)), 200)
    assert.lengthOf(yield* storedEvent, 1)
  })

  it("in another version of the API are refused with the setting to change, and accepted after the change", function* () {
    const event = succeeded(intentId())
    const refused = yield* sendEvent({ ...event, api_version: "2023-08-16" })
    assert.strictEqual(refused.status, 400)
    assert.match(refused.json.detail, /written in 2023-08-16; .*api_version 2026-10-28\.endive.*STRIPE_WEBHOOK_SECRET/)
    assert.strictEqual((yield* sendEvent({ ...event, api_version: StripeClient.API_VERSION })).status, 200)
    assert.strictEqual((yield* sendEvent({ ...succeeded(intentId()), api_version: null })).status, 200)
  })
})
