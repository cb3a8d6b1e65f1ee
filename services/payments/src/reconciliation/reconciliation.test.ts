import { randomUUID } from "node:crypto"
import { CaseId, OrganizationId, type PaymentId, UserId } from "@care/domain/ids"
import { GatewayEvent } from "@care/domain/payments"
import { makeSweep } from "@care/service"
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Option, Predicate, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type StripeClient from "stripe"
import { pricedPayment } from "../../test/heldPayment.ts"
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
  const asked = <A>(ask: (stripe: Effect.Success<typeof client>) => Promise<A>) =>
    Effect.flatMap(client, (stripe) => Effect.promise(() => ask(stripe)))

  // A payment of an intent of which nothing was told yet.
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
  const of = (organizationId: OrganizationId, swept: Effect.Success<ReturnType<typeof sweep>>) =>
    swept.differences
      .filter((difference) => difference.organizationId === organizationId)
      .map(({ action, id, source }) => [source, action, id] as const)

  it.effect("takes in every kind of event that never came, once", () =>
    Effect.gen(function* () {
      const { control } = yield* TestStripe
      const [paid, canceled, refunded, disputed] = [yield* unpaid, yield* unpaid, yield* unpaid, yield* unpaid]
      for (const { intentId } of [paid, refunded, disputed]) yield* control.confirm(intentId, visa)
      yield* asked((stripe) => stripe.paymentIntents.cancel(canceled.intentId))
      yield* asked((stripe) => stripe.refunds.create({ payment_intent: refunded.intentId }))
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
        of(paid.organizationId, swept).map(([source, action]) => [source, action]),
        [["stripe-money", "REPAIRED"]]
      )
      const again = yield* sweep()
      assert.deepStrictEqual(
        again.differences.filter(({ action }) => action === "REPAIRED"),
        []
      )
    })
  )

  it.effect("learns until when an amount is held from the event of its charge, without asking for its intent", () =>
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

  it.effect("takes in events that came, and whose jobs were dead-lettered", () =>
    Effect.gen(function* () {
      const { control } = yield* TestStripe
      const events = yield* GatewayEvents
      const [disputed, refunded] = [yield* unpaid, yield* unpaid]
      for (const { intentId } of [disputed, refunded]) yield* control.confirm(intentId, visa)
      yield* sweep()
      yield* control.dispute(disputed.intentId)
      yield* asked((stripe) => stripe.refunds.create({ payment_intent: refunded.intentId }))
      const told = yield* asked((stripe) => stripe.events.list({ limit: 20 }))
      // Nobody does the jobs of these.
      for (const event of told.data) yield* events.receive(decodeEvent(event))
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

  it.effect("takes in events whose jobs were dead-lettered after days, or reports that it cannot", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { control } = yield* TestStripe
      const events = yield* GatewayEvents
      const { id, intentId, organizationId } = yield* unpaid
      yield* control.confirm(intentId, visa)
      yield* sweep()
      yield* control.dispute(intentId)
      const { data } = yield* asked((stripe) => stripe.events.list({ types: ["charge.dispute.created"], limit: 1 }))
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

  it.effect("asks once a page which of its events were handled", () =>
    Effect.gen(function* () {
      yield* Effect.replicateEffect(
        Effect.flatMap(unpaid, ({ intentId }) => asked((stripe) => stripe.paymentIntents.cancel(intentId))),
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

  it.effect(
    "finds money that is held, or was taken, for an intent that pays nothing here, until a payment names it",
    () =>
      Effect.gen(function* () {
        const patient = someone()
        const { organizationId } = patient
        const held = yield* makePaymentIntent(organizationId, { ...withVisa, capture_method: "manual" })
        const taken = yield* makePaymentIntent(organizationId, withVisa)
        const nobodys = yield* makePaymentIntent(undefined, withVisa)
        const soon = yield* sweep("10 minutes")
        assert.deepStrictEqual(
          of(organizationId, soon).filter(([, action]) => action === "REPORTED"),
          []
        )
        const swept = yield* sweep()
        const reported = swept.differences.filter(({ action }) => action === "REPORTED")
        assert.strictEqual(swept.differences.find(({ id }) => id === held.id)?.source, "money-without-payment")
        assert.sameDeepMembers(
          of(organizationId, swept).filter(([, action]) => action === "REPORTED"),
          [
            ["money-without-payment", "REPORTED", held.id],
            ["money-without-payment", "REPORTED", taken.id]
          ]
        )
        assert.isFalse(reported.some(({ id }) => id === nobodys.id))
        // It is only reported.
        const { status } = yield* asked((stripe) => stripe.paymentIntents.retrieve(held.id))
        assert.strictEqual(status, "requires_capture")

        const payments = yield* Payments
        const of1 = pricedPayment({ ...patient, customerId: "", intents: Effect.succeed([]) })
        yield* payments.add({ ...of1, intentId: taken.id })
        yield* asked((stripe) => stripe.paymentIntents.cancel(held.id))
        assert.deepStrictEqual(
          of(organizationId, yield* sweep()).filter(([, action]) => action === "REPORTED"),
          []
        )
      })
  )

  it.effect("takes no money for nobody's that a payment names at the moment in which the gateway tells of it", () =>
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
        (one) => one,
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

  it.effect("reports all money without a payment of an organization, each once, and those of others beside", () =>
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

  it.effect("finds money whose case came to nothing", () =>
    Effect.gen(function* () {
      const patient = someone()
      const { caseId, organizationId } = patient
      const taken = yield* makePaymentIntent(organizationId, withVisa)
      const payments = yield* Payments
      yield* payments.add({
        ...pricedPayment({ ...patient, customerId: "", intents: Effect.succeed([]) }),
        userId: null,
        isInitial: true,
        isPrepared: true,
        intentId: taken.id
      })
      assert.deepStrictEqual(
        of(organizationId, yield* sweep()).map(([source]) => source),
        ["stripe-money"]
      )
      yield* payments.dropPrepared(organizationId, caseId)
      assert.deepStrictEqual(of(organizationId, yield* sweep()), [["money-without-payment", "REPORTED", taken.id]])
    })
  )

  it.effect("asks for intents that are not final, once a day, each organization in its turn", () =>
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

  it.effect("asks for an intent that nobody paid for 60 days once more, and never again", () =>
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
      const asked = (yield* control.requests).filter(({ path }) => path.endsWith(intentId))
      assert.lengthOf(asked, 1)
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
      assert.deepStrictEqual(of(stuck.organizationId, swept), [["unsettled-operations", "REPAIRED", stuck.id]])
      assert.deepInclude(of(unknown.organizationId, swept), ["unsettled-operations", "REPORTED", unknown.id])
      assert.deepStrictEqual(of(underWay.organizationId, swept), [])
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
        const customer = yield* asked((stripe) => stripe.customers.create({}))
        const metadata = { organizationId, userId }
        const made = yield* asked((stripe) =>
          stripe.setupIntents.create({ customer: customer.id, metadata, ...withVisa })
        )
        if (userId === open.userId) continue
        const method = { customerId: customer.id, paymentMethodId: String(made.payment_method) }
        yield* after("1 minute")(methods.save({ organizationId, userId, ...method }))
      }
      const swept = yield* sweep()
      assert.deepStrictEqual(of(completed.organizationId, swept), [])
      assert.deepStrictEqual(
        of(open.organizationId, swept).map(([source, action]) => [source, action]),
        [["stripe-setups", "REPORTED"]]
      )
    })
  )

  it.effect("goes on where it was cut off between a page and its cursor: nothing is lost, nothing is done twice", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const payments = yield* Effect.replicateEffect(unpaid, 3)
      const { control } = yield* TestStripe
      for (const { intentId } of payments) yield* control.confirm(intentId, visa)
      yield* forgetCursors
      const cursors = sql<{ source: string }>`SELECT source FROM reconciliation_cursors ORDER BY source`
      const sources = yield* makeSources()
      const [money] = sources
      // The page, without its cursor: as when the process is killed then.
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
      // What was compared is not compared again, but for the last minutes of it.
      assert.strictEqual((yield* after("3 hours")(run(Duration.minutes(1)))).sources[0]?.compared, 0)
      for (const { id, organizationId } of payments) assert.strictEqual(yield* statusOf(organizationId, id), "PAID")
      const [row] = yield* sql<{ events: number }>`
        SELECT count(*)::int AS events FROM payment_events
        WHERE type = 'payment_intent.succeeded' AND intent_id = ANY(${payments.map(({ intentId }) => intentId)}::text[])
      `
      assert.strictEqual(row?.events, 3)
    })
  )

  // A sweep to which Stripe shows its events otherwise than they are.
  const sweepShown = (shown: (event: StripeClient.Event) => object) =>
    Effect.gen(function* () {
      const stripe = yield* Stripe
      const changed = (listed: unknown) =>
        Predicate.hasProperty(listed, "data") && Array.isArray(listed.data)
          ? { ...listed, data: listed.data.map(shown) }
          : listed
      const ask: typeof stripe.ask = (calledFor, name, call) =>
        stripe.ask(calledFor, name, async (client) => {
          const answer = await call(client)
          if (name === "events.list") Object.assign(Object(answer), changed(answer))
          return answer
        })
      return yield* sweep().pipe(Effect.provideService(Stripe, { ...stripe, ask }))
    })

  // What an older version says of an intent is not read: here it says nothing.
  const older = (event: StripeClient.Event) => ({
    ...event,
    api_version: "2019-01-01",
    data: { object: { id: Reflect.get(event.data.object, "id") } }
  })

  it.effect("asks the intent itself when Stripe shows an event in another version of its API", () =>
    Effect.gen(function* () {
      const { control } = yield* TestStripe
      const { id, intentId, organizationId } = yield* unpaid
      yield* control.confirm(intentId, visa)
      const swept = yield* sweepShown(older)
      assert.deepStrictEqual(
        of(organizationId, swept).map(([source, action]) => [source, action]),
        [["stripe-money", "REPAIRED"]]
      )
      assert.strictEqual(yield* statusOf(organizationId, id), "PAID")
    })
  )

  it.effect("takes what the type of an event in another version says, which its intent does not say any more", () =>
    Effect.gen(function* () {
      const { control } = yield* TestStripe
      const { intentId } = yield* unpaid
      yield* control.confirm(intentId, { ...visa, payment_method: "pm_card_visa_chargeDeclined" })
      yield* sweepShown(older)
      const intent = yield* (yield* Payments).findIntent(intentId)
      assert.deepInclude(Option.getOrThrow(intent).state, { isFailed: true, isPaid: false })
    })
  )

  it.effect("keeps an event of a charge that no intent made, and reports what it cannot read", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { control } = yield* TestStripe
      const { intentId } = yield* unpaid
      yield* control.confirm(intentId, visa)
      yield* sweep()
      yield* asked((stripe) => stripe.refunds.create({ payment_intent: intentId }))
      const { data } = yield* asked((stripe) => stripe.events.list({ types: ["refund.created", "charge.refunded"] }))
      const [charge, refund] = ["charge.refunded", "refund.created"].map(
        (type) => data.find((event) => event.type === type)?.id
      )
      // The account is another system's, too.
      const swept = yield* sweepShown((event) => {
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
