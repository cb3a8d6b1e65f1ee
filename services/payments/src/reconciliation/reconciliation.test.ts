import { randomUUID } from "node:crypto"
import { CaseId, OrganizationId, type PaymentId, UserId } from "@care/domain/ids"
import { GatewayEvent } from "@care/domain/payments"
import { makeSweep } from "@care/service"
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Option, Predicate, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type StripeClient from "stripe"
import { pricedPayment } from "../../test/authorizedPayment.ts"
import { after, forgetCursors, layerWithoutEvents, sweep } from "../../test/sweeps.ts"
import { makePaymentIntent, TestStripe, visa, withVisa } from "../../test/testStripe.ts"
import { SavedMethods } from "../customers/savedMethods/SavedMethods.ts"
import { GatewayEvents } from "../events/GatewayEvents.ts"
import { PendingOperations } from "../payments/operations/PendingOperations.ts"
import { Payments } from "../payments/Payments.ts"
import { emptyIntentState } from "../stripe/IntentState.ts"
import { Stripe } from "../stripe/Stripe.ts"
import { makeSources } from "./makeSources.ts"

const decodeEvent = Schema.decodeUnknownSync(GatewayEvent)

const someone = () => ({
  organizationId: OrganizationId.make(randomUUID()),
  caseId: CaseId.make(randomUUID()),
  userId: UserId.make(randomUUID())
})

layer(layerWithoutEvents, { excludeTestServices: true, timeout: "60 seconds" })("a sweep of payments", (it) => {
  const client = Effect.map(TestStripe, (stripe) => stripe.client)
  const callStripe = <A>(call: (stripe: Effect.Success<typeof client>) => Promise<A>) =>
    Effect.flatMap(client, (stripe) => Effect.promise(() => call(stripe)))

  // A payment with an intent whose events do not come.
  const unpaid = Effect.gen(function* () {
    const patient = someone()
    const intent = yield* makePaymentIntent(patient.organizationId)
    const payments = yield* Payments
    const { id } = yield* payments.add({
      ...pricedPayment({ ...patient, customerId: "", intents: Effect.succeed([]) }),
      intentId: intent.id
    })
    return { ...patient, id, intentId: intent.id }
  })
  const statusOf = (organizationId: OrganizationId, id: PaymentId) =>
    Effect.gen(function* () {
      const found = yield* (yield* Payments).find(organizationId, id)
      return Option.getOrThrow(found).status
    })
  const differencesOf = (organizationId: OrganizationId, swept: Effect.Success<ReturnType<typeof sweep>>) =>
    swept.differences
      .filter((difference) => difference.organizationId === organizationId)
      .map(({ action, id, source }) => [source, action, id] as const)

  it.effect("applies every kind of event that never came, once", () =>
    Effect.gen(function* () {
      const { control } = yield* TestStripe
      const [paid, canceled, refunded, disputed] = [yield* unpaid, yield* unpaid, yield* unpaid, yield* unpaid]
      for (const { intentId } of [paid, refunded, disputed]) yield* control.confirm(intentId, visa)
      yield* callStripe((stripe) => stripe.paymentIntents.cancel(canceled.intentId))
      yield* callStripe((stripe) => stripe.refunds.create({ payment_intent: refunded.intentId }))
      yield* control.dispute(disputed.intentId)
      const swept = yield* sweep()
      assert.strictEqual(swept.state, "DONE")
      for (const [{ id, organizationId }, status] of [
        [paid, "PAID"],
        [canceled, "CANCELED"],
        [refunded, "REFUND"],
        [disputed, "IN_DISPUTE"]
      ] as const) {
        assert.strictEqual(yield* statusOf(organizationId, id), status)
      }
      assert.deepStrictEqual(
        differencesOf(paid.organizationId, swept).map(([source, action]) => [source, action]),
        [["stripe-money", "REPAIRED"]]
      )
      const again = yield* sweep()
      assert.deepStrictEqual(
        again.differences.filter(({ action }) => action === "REPAIRED"),
        []
      )
    })
  )

  it.effect("asks each account for its own: that of live organizations, and that of sandboxes", () =>
    Effect.gen(function* () {
      const { control, ofSandboxes } = yield* TestStripe
      const payments = yield* Payments
      const sql = yield* SqlClient.SqlClient
      const sandbox = someone()
      yield* sql`INSERT INTO test_organizations (organization_id) VALUES (${sandbox.organizationId})`
      const intentOfSandbox = (organizationId: OrganizationId) =>
        Effect.promise(() =>
          ofSandboxes.client.paymentIntents.create({ amount: 29_999, currency: "usd", metadata: { organizationId } })
        )
      const unpaidOfSandbox = Effect.gen(function* () {
        const { id: intentId } = yield* intentOfSandbox(sandbox.organizationId)
        const patient = { ...sandbox, caseId: CaseId.make(randomUUID()), customerId: "", intents: Effect.succeed([]) }
        const { id } = yield* payments.add({ ...pricedPayment(patient), intentId })
        return { id, intentId }
      })
      const [live, open] = [yield* unpaid, yield* unpaid]
      const [paid, openOfSandbox] = [yield* unpaidOfSandbox, yield* unpaidOfSandbox]
      const foreign = yield* intentOfSandbox(live.organizationId)
      yield* control.confirm(live.intentId, visa)
      for (const id of [paid.intentId, foreign.id]) yield* ofSandboxes.control.confirm(id, visa)
      yield* control.forgetRequests
      yield* ofSandboxes.control.forgetRequests
      const swept = yield* sweep("2 days")
      assert.strictEqual(swept.state, "DONE")
      assert.strictEqual(yield* statusOf(live.organizationId, live.id), "PAID")
      assert.strictEqual(yield* statusOf(sandbox.organizationId, paid.id), "PAID")
      assert.deepStrictEqual(
        differencesOf(sandbox.organizationId, swept).map(([source]) => source),
        ["open-payments", "stripe-money-test"]
      )
      assert.isTrue(Option.isNone(yield* payments.findIntent(foreign.id)))
      const askedFor = (requests: ReadonlyArray<{ readonly path: string }>) =>
        [open.intentId, openOfSandbox.intentId].map((id) => requests.some(({ path }) => path.includes(id)))
      assert.deepStrictEqual(askedFor(yield* control.requests), [true, false])
      assert.deepStrictEqual(askedFor(yield* ofSandboxes.control.requests), [false, true])
    })
  )

  it.effect(
    "stores the expiry of an authorization from the event of its charge, without a request for its intent",
    () =>
      Effect.gen(function* () {
        const { control } = yield* TestStripe
        const intent = yield* makePaymentIntent(someone().organizationId, { capture_method: "manual" })
        yield* control.confirm(intent.id, visa)
        yield* control.forgetRequests
        yield* sweep()
        const known = Option.getOrThrow(yield* (yield* Payments).findIntent(intent.id))
        assert.deepInclude(known.state, { isAuthorized: true, isPaid: false })
        assert.isAbove(known.state.heldUntil ?? 0, intent.created)
        assert.isFalse((yield* control.requests).some(({ path }) => path.endsWith(intent.id)))
      })
  )

  it.effect("applies received events whose jobs were dead-lettered", () =>
    Effect.gen(function* () {
      const { control } = yield* TestStripe
      const events = yield* GatewayEvents
      const [disputed, refunded] = [yield* unpaid, yield* unpaid]
      for (const { intentId } of [disputed, refunded]) yield* control.confirm(intentId, visa)
      yield* sweep()
      yield* control.dispute(disputed.intentId)
      yield* callStripe((stripe) => stripe.refunds.create({ payment_intent: refunded.intentId }))
      const listed = yield* callStripe((stripe) => stripe.events.list({ limit: 20 }))
      // Their jobs do not run.
      for (const event of listed.data) yield* events.receive(decodeEvent(event))
      assert.strictEqual(yield* statusOf(disputed.organizationId, disputed.id), "PAID")
      const swept = yield* sweep()
      assert.strictEqual(yield* statusOf(disputed.organizationId, disputed.id), "IN_DISPUTE")
      assert.strictEqual(yield* statusOf(refunded.organizationId, refunded.id), "REFUND")
      assert.isTrue(swept.differences.some(({ what }) => what === "An event of Stripe was not handled"))
      assert.deepStrictEqual(
        (yield* sweep()).differences.filter(({ action }) => action === "REPAIRED"),
        []
      )
    })
  )

  it.effect("applies events whose jobs were dead-lettered days ago, or reports that it cannot", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { control } = yield* TestStripe
      const events = yield* GatewayEvents
      const { id, intentId, organizationId } = yield* unpaid
      yield* control.confirm(intentId, visa)
      yield* sweep()
      yield* control.dispute(intentId)
      const { data } = yield* callStripe((stripe) =>
        stripe.events.list({ types: ["charge.dispute.created"], limit: 1 })
      )
      for (const event of data) yield* events.receive(decodeEvent(event))
      yield* events.receive({ id: "evt_gone", type: "payment_intent.succeeded", data: { object: { id: intentId } } })
      const source = (yield* makeSources()).find(({ name }) => name === "unhandled-events") ?? assert.fail()
      const page = source.page(undefined)
      assert.strictEqual((yield* page.pipe(after("3 days"))).compared, 0)
      const [known] = yield* sql<{ state: object }>`SELECT state FROM payment_intents WHERE id = ${intentId}`
      yield* sql`UPDATE payment_intents SET state = '{}' WHERE id = ${intentId}`
      const broken = yield* page.pipe(after("4 days"))
      assert.includeDeepMembers(
        broken.differences.map(({ action, what }) => [action, what]),
        [
          ["REPORTED", "An event of Stripe cannot be handled"],
          ["REPORTED", "An event was not handled, and Stripe does not show it any more"]
        ]
      )
      yield* sql`UPDATE payment_intents SET state = ${JSON.stringify(known?.state)}::jsonb WHERE id = ${intentId}`
      const mended = yield* page.pipe(after("4 days"))
      assert.deepInclude(
        mended.differences.find((difference) => difference.id === data[0]?.id),
        { action: "REPAIRED", what: "An event of Stripe was not handled" }
      )
      assert.strictEqual(yield* statusOf(organizationId, id), "IN_DISPUTE")
      yield* sql`DELETE FROM payment_events WHERE event_id = 'evt_gone'`
    })
  )

  it.effect("reads once for each page which of its events were handled", () =>
    Effect.gen(function* () {
      yield* Effect.replicateEffect(
        Effect.flatMap(unpaid, ({ intentId }) => callStripe((stripe) => stripe.paymentIntents.cancel(intentId))),
        3
      )
      const events = yield* GatewayEvents
      const pages: Array<number> = []
      const counted = GatewayEvents.of({
        ...events,
        handledAmong: (ids) =>
          Effect.tap(events.handledAmong(ids), () => Effect.sync(() => void pages.push(ids.length)))
      })
      const [money] = yield* makeSources().pipe(Effect.provideService(GatewayEvents, counted))
      yield* (money ?? assert.fail()).page(undefined).pipe(after("2 hours"))
      assert.lengthOf(pages, 1)
      assert.isAtLeast(pages[0] ?? 0, 3)
    })
  )

  it.effect("reports an authorized or captured intent without a payment, until a payment names it", () =>
    Effect.gen(function* () {
      const patient = someone()
      const { organizationId } = patient
      const authorized = yield* makePaymentIntent(organizationId, { ...withVisa, capture_method: "manual" })
      const captured = yield* makePaymentIntent(organizationId, withVisa)
      const nobodys = yield* makePaymentIntent(undefined, withVisa)
      const soon = yield* sweep("10 minutes")
      assert.deepStrictEqual(
        differencesOf(organizationId, soon).filter(([, action]) => action === "REPORTED"),
        []
      )
      const swept = yield* sweep()
      const reported = swept.differences.filter(({ action }) => action === "REPORTED")
      assert.strictEqual(swept.differences.find(({ id }) => id === authorized.id)?.source, "money-without-payment")
      assert.sameDeepMembers(
        differencesOf(organizationId, swept).filter(([, action]) => action === "REPORTED"),
        [
          ["money-without-payment", "REPORTED", authorized.id],
          ["money-without-payment", "REPORTED", captured.id]
        ]
      )
      assert.isFalse(reported.some(({ id }) => id === nobodys.id))
      // It is only reported.
      const { status } = yield* callStripe((stripe) => stripe.paymentIntents.retrieve(authorized.id))
      assert.strictEqual(status, "requires_capture")

      const payments = yield* Payments
      const payment = pricedPayment({ ...patient, customerId: "", intents: Effect.succeed([]) })
      yield* payments.add({ ...payment, intentId: captured.id })
      yield* callStripe((stripe) => stripe.paymentIntents.cancel(authorized.id))
      assert.deepStrictEqual(
        differencesOf(organizationId, yield* sweep()).filter(([, action]) => action === "REPORTED"),
        []
      )
    })
  )

  it.effect("does not report an intent whose payment is stored concurrently with its event", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const payments = yield* Payments
      const intents = yield* Effect.replicateEffect(
        Effect.gen(function* () {
          const patient = someone()
          const { id, created } = yield* makePaymentIntent(patient.organizationId, withVisa)
          const worth = { units: 29_999, currency: "USD", asOf: created }
          const update = {
            intentId: id,
            organizationId: patient.organizationId,
            state: { ...emptyIntentState, isPaid: true, worth }
          }
          return { patient, update, id }
        }),
        20
      )
      yield* Effect.forEach(
        intents.flatMap(({ id, update, patient }) => [
          Effect.asVoid(payments.observe(update)),
          Effect.asVoid(
            payments.add({
              ...pricedPayment({ ...patient, customerId: "", intents: Effect.succeed([]) }),
              intentId: id
            })
          )
        ]),
        (effect) => effect,
        { concurrency: "unbounded" }
      )
      const left = yield* sql`
        SELECT id FROM payment_intents
        WHERE unclaimed_since IS NOT NULL AND id = ANY(${intents.map(({ id }) => id)}::text[])
      `
      assert.deepStrictEqual(left, [])
      for (const { id, patient } of intents) {
        const [row] = yield* sql<{ status: string }>`
          SELECT status FROM payments WHERE organization_id = ${patient.organizationId} AND intent_id = ${id}
        `
        assert.strictEqual(row?.status, "PAID")
      }
    })
  )

  it.effect("reports each intent without a payment once, and those of all organizations alongside", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [much, little] = [someone().organizationId, someone().organizationId]
      const state = JSON.stringify({ ...emptyIntentState, isPaid: true })
      const insert = (organizationId: OrganizationId, intents: number) => sql`
        INSERT INTO payment_intents (id, organization_id, state, updated_at, unclaimed_since)
        SELECT 'pi_' || ${organizationId}::text || n, ${organizationId}::uuid, ${state}::jsonb, now(), now() - interval '1 day'
        FROM generate_series(1, ${intents}::int) AS n
      `
      yield* insert(much, 450)
      yield* insert(little, 30)
      const [, unclaimed] = yield* makeSources()
      const run = yield* makeSweep([unclaimed ?? assert.fail()])
      yield* forgetCursors
      for (let time = 0; time < 2; time += 1) {
        const { differences, state } = yield* run(Duration.minutes(1))
        assert.strictEqual(state, "DONE")
        const ids = (owner: OrganizationId) =>
          differences.filter(({ organizationId }) => organizationId === owner).map(({ id }) => id)
        assert.lengthOf(new Set(ids(much)), 450)
        assert.lengthOf(new Set(ids(little)), 30)
        assert.lengthOf(ids(much), 450)
        // The first pages have both.
        assert.isBelow(
          differences.findIndex(({ organizationId }) => organizationId === little),
          50
        )
      }
      yield* sql`DELETE FROM payment_intents WHERE organization_id IN (${much}, ${little})`
    })
  )

  it.effect("reports an intent whose case was never stored", () =>
    Effect.gen(function* () {
      const patient = someone()
      const { caseId, organizationId } = patient
      const captured = yield* makePaymentIntent(organizationId, withVisa)
      const payments = yield* Payments
      yield* payments.add({
        ...pricedPayment({ ...patient, customerId: "", intents: Effect.succeed([]) }),
        userId: null,
        isInitial: true,
        isPrepared: true,
        intentId: captured.id
      })
      assert.deepStrictEqual(
        differencesOf(organizationId, yield* sweep()).map(([source]) => source),
        ["stripe-money"]
      )
      yield* payments.dropPrepared(organizationId, caseId)
      assert.deepStrictEqual(differencesOf(organizationId, yield* sweep()), [
        ["money-without-payment", "REPORTED", captured.id]
      ])
    })
  )

  it.effect("compares intents that are not final once a day, in equal shares of the organizations", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { control } = yield* TestStripe
      yield* sweep("25 hours")
      const many = yield* Effect.replicateEffect(unpaid, 12)
      const other = yield* unpaid
      // All of them of one organization, but for one.
      yield* sql`UPDATE payments SET organization_id = ${many[0]?.organizationId ?? ""}
        WHERE id = ANY(${many.map(({ id }) => id)}::uuid[])`
      yield* control.confirm(other.intentId, visa)
      const openPayments = (yield* makeSources()).find(({ name }) => name === "open-payments")
      const page = (openPayments ?? assert.fail()).page(undefined).pipe(after("25 hours"))
      const first = yield* page
      assert.isBelow(first.compared, 13)
      assert.strictEqual(yield* statusOf(other.organizationId, other.id), "PAID")
      assert.deepInclude(first.differences, {
        action: "REPAIRED",
        what: "A payment was not where its intent is at Stripe",
        id: other.id,
        organizationId: other.organizationId
      })
      let left = yield* page
      while (!left.isLast) left = yield* page
      const before = (yield* control.requests).length
      assert.strictEqual((yield* page).compared, 0)
      assert.strictEqual((yield* control.requests).length, before)
    })
  )

  it.effect("compares an intent that was not paid for 60 days once more, and never again", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { control } = yield* TestStripe
      const { id, intentId } = yield* unpaid
      yield* sql`
        UPDATE payments SET created_at = now() - interval '61 days', asked_at = now() - interval '2 days' WHERE id = ${id}
      `
      const openPayments = (yield* makeSources()).find(({ name }) => name === "open-payments") ?? assert.fail()
      yield* control.forgetRequests
      for (const days of [0, 2, 4]) {
        let page = yield* openPayments.page(undefined).pipe(after(`${days} days`))
        while (!page.isLast) page = yield* openPayments.page(undefined).pipe(after(`${days} days`))
      }
      const lookups = (yield* control.requests).filter(({ path }) => path.endsWith(intentId))
      assert.lengthOf(lookups, 1)
    })
  )

  it.effect("settles operations whose jobs were dead-lettered, and reports what it cannot settle", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const pending = yield* PendingOperations
      const begin = Effect.gen(function* () {
        const { control } = yield* TestStripe
        const payment = yield* unpaid
        const { id: paymentId, intentId, organizationId } = payment
        yield* control.confirm(intentId, visa)
        yield* sweep()
        yield* pending.begin({ organizationId, paymentId }, "REFUND", (before) =>
          Effect.succeed({ payment: before, operationId: randomUUID() })
        )
        return payment
      })
      const [stuck, unknown, underWay] = [yield* begin, yield* begin, yield* begin]
      yield* sql`
        UPDATE payments SET operation_since = now() - interval '75 hours'
        WHERE id = ANY(${[stuck.id, unknown.id]}::uuid[])
      `
      yield* sql`UPDATE payments SET intent_id = ${`pi_${randomUUID()}`} WHERE id = ${unknown.id}`
      const swept = yield* sweep()
      assert.deepStrictEqual(differencesOf(stuck.organizationId, swept), [
        ["unsettled-operations", "REPAIRED", stuck.id]
      ])
      assert.deepInclude(differencesOf(unknown.organizationId, swept), ["unsettled-operations", "REPORTED", unknown.id])
      assert.deepStrictEqual(differencesOf(underWay.organizationId, swept), [])
      assert.deepStrictEqual(
        yield* sql`
          SELECT id FROM payments WHERE operation IS NOT NULL AND id = ANY(${[stuck.id, underWay.id]}::uuid[])
        `,
        [{ id: underWay.id }]
      )
      yield* sql`UPDATE payments SET operation = NULL, operation_id = NULL WHERE id = ${unknown.id}`
    })
  )

  it.effect("reports a setup intent that was confirmed, and not completed", () =>
    Effect.gen(function* () {
      const [completed, open] = [someone(), someone()]
      const methods = yield* SavedMethods
      for (const { organizationId, userId } of [completed, open]) {
        const customer = yield* callStripe((stripe) => stripe.customers.create({}))
        const metadata = { organizationId, userId }
        const setup = yield* callStripe((stripe) =>
          stripe.setupIntents.create({ customer: customer.id, metadata, ...withVisa })
        )
        if (userId === open.userId) continue
        const method = { customerId: customer.id, paymentMethodId: String(setup.payment_method) }
        yield* after("1 minute")(methods.save({ organizationId, userId, ...method }))
      }
      const swept = yield* sweep()
      assert.deepStrictEqual(differencesOf(completed.organizationId, swept), [])
      assert.deepStrictEqual(
        differencesOf(open.organizationId, swept).map(([source, action]) => [source, action]),
        [["stripe-setups", "REPORTED"]]
      )
    })
  )

  it.effect(
    "continues after an interruption between a page and its cursor: nothing is lost, and nothing is repeated",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const payments = yield* Effect.replicateEffect(unpaid, 3)
        const { control } = yield* TestStripe
        for (const { intentId } of payments) yield* control.confirm(intentId, visa)
        yield* forgetCursors
        const cursors = sql<{ source: string }>`SELECT source FROM reconciliation_cursors ORDER BY source`
        const sources = yield* makeSources()
        const [money] = sources
        // A page without its cursor, as if the process were killed in between.
        const page = yield* (money ?? assert.fail()).page(undefined).pipe(after("2 hours"))
        assert.isAtLeast(page.differences.length, 3)
        assert.deepStrictEqual(yield* cursors, [])
        const run = yield* makeSweep(sources)
        const again = yield* after("2 hours")(run(Duration.minutes(1)))
        assert.isAtLeast(again.sources[0]?.compared ?? 0, 3)
        assert.deepStrictEqual(
          again.differences.filter(({ action, source }) => action === "REPAIRED" && source === money?.name),
          []
        )
        assert.deepStrictEqual(
          (yield* cursors).map(({ source }) => source),
          sources.map(({ name }) => name).sort()
        )
        // Only the last minutes are compared again.
        assert.strictEqual((yield* after("3 hours")(run(Duration.minutes(1)))).sources[0]?.compared, 0)
        for (const { id, organizationId } of payments) assert.strictEqual(yield* statusOf(organizationId, id), "PAID")
        const [row] = yield* sql<{ events: number }>`
        SELECT count(*)::int AS events FROM payment_events
        WHERE type = 'payment_intent.succeeded' AND intent_id = ANY(${payments.map(({ intentId }) => intentId)}::text[])
      `
        assert.strictEqual(row?.events, 3)
      })
  )

  // A sweep with changed events in Stripe's list.
  const sweepWith = (change: (event: StripeClient.Event) => object) =>
    Effect.gen(function* () {
      const stripe = yield* Stripe
      const changeAll = (listed: unknown) =>
        Predicate.hasProperty(listed, "data") && Array.isArray(listed.data)
          ? { ...listed, data: listed.data.map(change) }
          : listed
      const ask: typeof stripe.ask = (organizationId, name, call) =>
        stripe.ask(organizationId, name, async (client) => {
          const response = await call(client)
          if (name === "events.list") Object.assign(Object(response), changeAll(response))
          return response
        })
      return yield* sweep().pipe(Effect.provideService(Stripe, { ...stripe, ask }))
    })

  // An event of an older version, whose intent is not read.
  const older = (event: StripeClient.Event) => ({
    ...event,
    api_version: "2019-01-01",
    data: { object: { id: Reflect.get(event.data.object, "id") } }
  })

  it.effect("reads the intent when an event has another version of the API", () =>
    Effect.gen(function* () {
      const { control } = yield* TestStripe
      const { id, intentId, organizationId } = yield* unpaid
      yield* control.confirm(intentId, visa)
      const swept = yield* sweepWith(older)
      assert.deepStrictEqual(
        differencesOf(organizationId, swept).map(([source, action]) => [source, action]),
        [["stripe-money", "REPAIRED"]]
      )
      assert.strictEqual(yield* statusOf(organizationId, id), "PAID")
    })
  )

  it.effect("applies the state of an event's type in another version, which its intent does not have any more", () =>
    Effect.gen(function* () {
      const { control } = yield* TestStripe
      const { intentId } = yield* unpaid
      yield* control.confirm(intentId, { ...visa, payment_method: "pm_card_visa_chargeDeclined" })
      yield* sweepWith(older)
      const intent = yield* (yield* Payments).findIntent(intentId)
      assert.deepInclude(Option.getOrThrow(intent).state, { isFailed: true, isPaid: false })
    })
  )

  it.effect("stores an event without an intent, and reports one that it cannot read", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { control } = yield* TestStripe
      const { intentId } = yield* unpaid
      yield* control.confirm(intentId, visa)
      yield* sweep()
      yield* callStripe((stripe) => stripe.refunds.create({ payment_intent: intentId }))
      const { data } = yield* callStripe((stripe) =>
        stripe.events.list({ types: ["refund.created", "charge.refunded"] })
      )
      const [charge, refund] = ["charge.refunded", "refund.created"].map(
        (type) => data.find((event) => event.type === type)?.id
      )
      // The account may be shared with another system.
      const swept = yield* sweepWith((event) => {
        if (event.id === charge) return { ...event, type: "" }
        if (event.id !== refund) return event
        return { ...event, data: { object: { ...event.data.object, payment_intent: null } } }
      })
      assert.isFalse(swept.differences.some(({ id }) => id === refund))
      assert.deepInclude(
        swept.differences.find(({ id }) => id === charge),
        { action: "REPORTED", what: "An event of Stripe cannot be read" }
      )
      assert.deepStrictEqual(yield* sql`SELECT result FROM payment_events WHERE event_id = ${refund ?? ""}`, [
        { result: "IGNORED" }
      ])
    })
  )
})
