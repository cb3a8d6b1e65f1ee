import { randomUUID } from "node:crypto"
import { OrganizationId } from "@care/domain/ids"
import { GatewayEvent } from "@care/domain/payments"
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type StripeClient from "stripe"
import { pricedPayment } from "../../test/authorizedPayment.ts"
import { newPatient } from "../../test/newPatient.ts"
import { layerBesideCells, sweep } from "../../test/sweeps.ts"
import { makePaymentIntent, TestStripe, visa, withVisa } from "../../test/testStripe.ts"
import { Payments } from "../payments/Payments.ts"
import { emptyIntentState } from "../stripe/index.ts"
import { GatewayEvents } from "./GatewayEvents.ts"

const decodeEvent = Schema.decodeUnknownSync(GatewayEvent)

const own = OrganizationId.make(randomUUID())
const foreign = OrganizationId.make(randomUUID())

const callStripe = <A>(call: (stripe: StripeClient) => Promise<A>) =>
  Effect.flatMap(TestStripe, ({ client }) => Effect.promise(() => call(client)))

// Newest first.
const allEvents = callStripe((stripe) => stripe.events.list({ limit: 100 }).autoPagingToArray({ limit: 1000 }))

/**
 * Makes all kinds of events of an organization, of which refunds and disputes do not name it, or by default of other software. Returns the
 * ids of its intents.
 */
const happen = Effect.fnUntraced(function* (organizationId?: OrganizationId) {
  const { control } = yield* TestStripe
  const manual = { capture_method: "manual" } as const
  const changed = [{}, {}, manual, manual] as const
  const intents = yield* Effect.forEach(changed, (changes) => makePaymentIntent(organizationId, changes))
  for (const { id } of intents) yield* control.confirm(id, visa)
  const [disputed, refunded, canceled, captured] = intents.map(({ id }) => id)
  yield* control.dispute(disputed ?? "")
  yield* callStripe((stripe) => stripe.refunds.create({ payment_intent: refunded ?? "" }))
  yield* callStripe((stripe) => stripe.paymentIntents.cancel(canceled ?? ""))
  yield* callStripe((stripe) => stripe.paymentIntents.capture(captured ?? ""))
  const metadata = organizationId === undefined ? {} : { organizationId, userId: randomUUID() }
  yield* callStripe(async (stripe) => {
    const { id: customer } = await stripe.customers.create()
    await stripe.setupIntents.create({ customer, metadata, ...withVisa })
  })
  return intents.map(({ id }) => id)
})

const count = (of: "payment_events" | "payment_intents", ids: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const column = sql.literal(of === "payment_events" ? "intent_id" : "id")
    const rows = yield* sql`SELECT 1 FROM ${sql.literal(of)} WHERE ${column} = ANY(${ids}::text[])`
    return rows.length
  })

layer(
  layerBesideCells((id) => id === own),
  { excludeTestServices: true, timeout: "60 seconds" }
)("an account of Stripe for several cells", (it) => {
  it.effect("the events of other cells' organizations and of other software are accepted, and leave no rows", () =>
    Effect.gen(function* () {
      const events = yield* GatewayEvents
      const [ours, theirs] = [yield* happen(own), yield* happen(foreign)]
      const others = yield* happen()
      const data = yield* allEvents
      const types = new Set(data.map(({ type }) => type))
      for (const type of ["charge.dispute.created", "refund.created", "setup_intent.succeeded"] as const) {
        assert.isTrue(types.has(type), type)
      }
      // Newest first, so that a dispute comes before the payment of its intent.
      for (const event of data) yield* events.receive(decodeEvent(event))
      assert.isAbove(yield* count("payment_events", ours), 10)
      assert.strictEqual(yield* count("payment_events", [...theirs, ...others]), 0)
      const sql = yield* SqlClient.SqlClient
      assert.isTrue(types.has("customer.created"))
      assert.deepStrictEqual(yield* sql`SELECT type FROM payment_events WHERE type LIKE 'customer.%'`, [])
    })
  )

  it.effect("a sweep neither applies nor reports what other cells' organizations and other software have", () =>
    Effect.gen(function* () {
      const [ours, theirs, others] = [yield* happen(own), yield* happen(foreign), yield* happen()]
      const swept = yield* sweep()
      assert.strictEqual(swept.state, "DONE")
      const organizations = new Set(swept.differences.map(({ organizationId }) => organizationId))
      assert.deepStrictEqual([organizations.has(own), organizations.has(foreign)], [true, false])
      const setups = swept.differences.filter(({ source }) => source === "stripe-setups")
      assert.isNotEmpty(setups)
      assert.strictEqual(yield* count("payment_intents", ours), ours.length)
      assert.strictEqual(yield* count("payment_intents", [...theirs, ...others]), 0)
      assert.strictEqual(yield* count("payment_events", [...theirs, ...others]), 0)
    })
  )

  it.effect("the events of an intent that is stored from before there were other cells are applied", () =>
    Effect.gen(function* () {
      const events = yield* GatewayEvents
      const payments = yield* Payments
      const { control } = yield* TestStripe
      const intent = yield* makePaymentIntent()
      yield* payments.observe({ intentId: intent.id, organizationId: undefined, state: emptyIntentState })
      yield* control.confirm(intent.id, visa)
      yield* control.dispute(intent.id)
      const data = yield* allEvents
      for (const event of data) yield* events.receive(decodeEvent(event))
      assert.isAbove(yield* count("payment_events", [intent.id]), 1)
    })
  )

  it.effect("the job of an event that names no organization is that of its payment's, so that it moves with it", () =>
    Effect.gen(function* () {
      const events = yield* GatewayEvents
      const payments = yield* Payments
      const sql = yield* SqlClient.SqlClient
      const { control } = yield* TestStripe
      const intent = yield* makePaymentIntent()
      const patient = { ...(yield* newPatient()), organizationId: own }
      yield* payments.add({ ...pricedPayment(patient), intentId: intent.id })
      const jobs = sql`SELECT 1 FROM jobs WHERE organization_id = ${own}::uuid AND queue_name = 'payment-event'`
      const before = (yield* jobs).length
      yield* control.confirm(intent.id, visa)
      for (const event of yield* allEvents) yield* events.receive(decodeEvent(event))
      const stored = yield* count("payment_events", [intent.id])
      assert.isAbove(stored, 0)
      assert.strictEqual((yield* jobs).length - before, stored)
    })
  )
})
