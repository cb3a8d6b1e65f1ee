import { randomUUID } from "node:crypto"
import { layerAuditedDatabase } from "@care/audit/testing"
import { CaseId, OrganizationId, PreparationId, UserId } from "@care/domain/ids"
import type { InitialPayment, NewPromoCode, PlannedPayment, Preparation } from "@care/domain/payments"
import { layerIdleJobs } from "@care/jobs/testing"
import { layerTestCipher } from "@care/phi/testing"
import { until } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer, Option, Struct } from "effect"
import { SqlClient } from "effect/sql"
import {
  layerTestStripe,
  makePaymentIntent,
  makeSetupIntent,
  TestStripe,
  visa,
  withVisa
} from "../../test/testStripe.ts"
import { makeDecideDeletion } from "../customers/CustomerDeletions.ts"
import { SavedMethods } from "../customers/savedMethods/SavedMethods.ts"
import { Directory } from "../Directory.ts"
import { Payments } from "../payments/Payments.ts"
import { AdminPromoCodes } from "../promoCodes/AdminPromoCodes.ts"
import { stateOfIntent } from "../stripe/intentStateOf.ts"
import { CasePayments } from "./CasePayments.ts"

const layerPayments = Layer.mergeAll(
  CasePayments.layer,
  AdminPromoCodes.layer,
  Payments.layer,
  SavedMethods.layer
).pipe(
  Layer.provide(Layer.mock(Directory, { requireOrganization: () => Effect.void })),
  Layer.provideMerge(layerTestStripe),
  Layer.provideMerge(layerIdleJobs),
  Layer.provideMerge(layerAuditedDatabase("payments")),
  Layer.provideMerge(layerTestCipher)
)

type Reference = PlannedPayment["providerReference"]

const newOrganization = () => OrganizationId.make(randomUUID())
const noCodes = { whole: null, products: [] }

const planned = (providerReference: Reference, changes: Partial<PlannedPayment> = {}): PlannedPayment => ({
  caseId: CaseId.make(randomUUID()),
  organizationId: newOrganization(),
  preparationId: PreparationId.make(randomUUID()),
  amount: "299.99",
  currency: "USD",
  description: null,
  providerReference,
  setupIntentId: null,
  discounts: noCodes,
  ...changes
})

const setup = (id: string) => ({ type: "SETUP_INTENT", id }) as const
const intent = (id: string) => ({ type: "PAYMENT_INTENT", id }) as const
const token = (id: string) => ({ type: "PAYMENT_TOKEN", id }) as const

const recorded = (payment: PlannedPayment, discount: string | null = null): InitialPayment => ({
  ...Struct.omit(payment, ["preparationId", "setupIntentId", "discounts"]),
  userId: UserId.make(randomUUID()),
  discount
})

const prepare = (payment: PlannedPayment) => Effect.flatMap(CasePayments, (payments) => payments.prepare(payment))
const release = (preparation: Preparation) => Effect.flatMap(CasePayments, (payments) => payments.release(preparation))
const record = (payment: InitialPayment) => Effect.flatMap(CasePayments, (payments) => payments.record(payment))
const stored = ({ caseId, organizationId }: Preparation) =>
  Effect.map(
    Effect.flatMap(Payments, (payments) => payments.findInitial(organizationId, caseId)),
    Option.getOrUndefined
  )

const refusalOf = (payment: PlannedPayment) =>
  Effect.map(Effect.flip(prepare(payment)), (refusal) => {
    switch (refusal._tag) {
      case "ReferenceRefused":
        return refusal.reason
      case "PromoCodeNotFound":
        return refusal.code
      default:
        return refusal._tag
    }
  })

const newCode = Effect.fnUntraced(function* (promo: Partial<NewPromoCode>) {
  const { create } = yield* AdminPromoCodes
  return (yield* create({ code: `CODE-${randomUUID()}`, ...promo })).code
})
const usesOf = (code: string) =>
  Effect.map(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<{ redemptions: number }>`SELECT redemptions FROM promo_codes WHERE code = ${code}`
    ),
    ([row]) => row?.redemptions
  )

layer(layerPayments, { excludeTestServices: true })("CasePayments", (it) => {
  it.effect("a case's payment is prepared and recorded once, also with 20 concurrent requests", () =>
    Effect.gen(function* () {
      const payment = planned(setup((yield* makeSetupIntent()).id))
      const times = { concurrency: "unbounded" } as const
      yield* Effect.all(
        Array.from({ length: 20 }, () => prepare(payment)),
        times
      )
      assert.deepInclude(yield* stored(payment), { isPrepared: true, userId: null, amount: "299.99", status: "UNPAID" })
      const initial = recorded(payment)
      const [id, ...others] = yield* Effect.all(
        Array.from({ length: 20 }, () => record(initial)),
        times
      )
      assert.deepStrictEqual([...new Set(others)], [id])
      const { userId } = initial
      assert.deepInclude(yield* stored(payment), {
        isPrepared: false,
        userId,
        status: "UNPAID",
        version: 1
      })
    })
  )

  it.effect("an abandoned checkout's payment needs neither amount nor currency, and no gateway", () =>
    Effect.gen(function* () {
      const { control } = yield* TestStripe
      const payment = planned(setup("seti_unknown"), { amount: null, currency: null })
      yield* control.forgetRequests
      yield* record(recorded(payment))
      assert.deepInclude(yield* stored(payment), {
        amount: null,
        providerReferenceId: "seti_unknown",
        isPrepared: false
      })
      assert.deepStrictEqual(yield* control.requests, [])
    })
  )

  it.effect("two organizations may have payments of one case id", () =>
    Effect.gen(function* () {
      const payment = recorded(planned(null))
      const own = yield* record(payment)
      const foreign = yield* record({ ...payment, organizationId: newOrganization() })
      assert.notStrictEqual(foreign, own)
      assert.strictEqual(yield* record(payment), own)
    })
  )

  it.effect("the description is not readable in the database", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const payment = planned(setup((yield* makeSetupIntent()).id), { description: "Semaglutide, first month" })
      const readable = Effect.map(
        sql<{ description: string }>`SELECT description FROM payments WHERE case_id = ${payment.caseId}`,
        ([row]) => row?.description ?? ""
      )
      yield* prepare(payment)
      assert.match(yield* readable, /^k1:[A-Za-z0-9+/=]+$/)
      yield* record(recorded(payment))
      // After the case was recorded its patient is known.
      assert.match(yield* readable, /^[A-Za-z0-9_-]{22}:[A-Za-z0-9+/=]+$/)
      assert.deepInclude(yield* stored(payment), { description: "Semaglutide, first month" })
    })
  )

  it.effect("a reference that is unknown to the gateway, or of another type, is refused, and nothing is stored", () =>
    Effect.gen(function* () {
      const [seti, pi] = [(yield* makeSetupIntent()).id, (yield* makePaymentIntent()).id]
      const { client } = yield* TestStripe
      const method = yield* Effect.promise(() =>
        client.paymentMethods.create({ type: "card", card: { token: "tok_visa" } })
      )
      for (const [reference, reason] of [
        [setup("seti_unknown"), "no such setup intent"],
        [setup(pi), "no such setup intent"],
        [setup("cus_1"), "no such setup intent"],
        [intent("pi_unknown"), "no such payment intent"],
        [intent(seti), "no such payment intent"],
        [token("pm_unknown"), "no such payment token"],
        [token("tok_unknown"), "no such payment token"],
        [token(pi), "no such payment token"]
      ] as const) {
        const payment = planned(reference)
        assert.strictEqual(yield* refusalOf(payment), reason, reference.id)
        assert.isUndefined(yield* stored(payment))
      }
      for (const reference of [setup(seti), intent(pi), token(method.id), token("pm_card_visa"), token("tok_visa")]) {
        assert.deepStrictEqual(yield* prepare(planned(reference)), { discount: null })
      }
    })
  )

  it.effect("a reference of another organization or of its customers is unknown", () =>
    Effect.gen(function* () {
      const [own, other] = [newOrganization(), newOrganization()]
      const { client } = yield* TestStripe
      const customer = yield* Effect.promise(() => client.customers.create({ metadata: { organizationId: other } }))
      const method = yield* Effect.promise(() =>
        client.paymentMethods.attach("pm_card_visa", { customer: customer.id })
      )
      for (const [reference, reason] of [
        [setup((yield* makeSetupIntent(other)).id), "no such setup intent"],
        [intent((yield* makePaymentIntent(other)).id), "no such payment intent"],
        [intent((yield* makePaymentIntent(undefined, { customer: customer.id })).id), "no such payment intent"],
        [token(method.id), "no such payment token"]
      ] as const) {
        assert.strictEqual(yield* refusalOf(planned(reference, { organizationId: own })), reason)
        yield* prepare(planned(reference, { organizationId: other }))
      }
    })
  )

  it.effect("a setup intent that is not confirmed, and a payment intent that is canceled, are refused", () =>
    Effect.gen(function* () {
      const { client } = yield* TestStripe
      const open = yield* makeSetupIntent(undefined, false)
      assert.strictEqual(yield* refusalOf(planned(setup(open.id))), "the setup intent is not confirmed")
      const canceled = yield* makePaymentIntent()
      yield* Effect.promise(() => client.paymentIntents.cancel(canceled.id))
      assert.strictEqual(yield* refusalOf(planned(intent(canceled.id))), "the payment intent is canceled")
    })
  )

  it.effect(
    "a customer's methods are refused from the decision to delete the customer on, and after the deletion",
    () =>
      Effect.gen(function* () {
        const { client } = yield* TestStripe
        const decide = yield* makeDecideDeletion
        const organizationId = newOrganization()
        const { customer, id, payment_method } = yield* makeSetupIntent()
        const [customerId, methodId] = [String(customer), String(payment_method)]
        const references = [setup(id), token(methodId)]
        for (const reference of references) yield* prepare(planned(reference, { organizationId }))
        yield* decide(organizationId, customerId)
        for (const reference of references) {
          assert.strictEqual(yield* refusalOf(planned(reference, { organizationId })), "its customer is deleted")
        }
        const other = yield* makeSetupIntent()
        for (const { customer } of [{ customer: customerId }, other]) {
          yield* Effect.promise(() => client.customers.del(String(customer)))
        }
        for (const setupId of [id, other.id]) {
          assert.strictEqual(yield* refusalOf(planned(setup(setupId), { organizationId })), "its customer is deleted")
        }
      })
  )

  it.effect("a customer without an organization belongs to the first organization that saves a method of theirs", () =>
    Effect.gen(function* () {
      const decide = yield* makeDecideDeletion
      const methods = yield* SavedMethods
      const { client } = yield* TestStripe
      const { customer, id, payment_method } = yield* makeSetupIntent()
      const [customerId, methodId] = [String(customer), String(payment_method)]
      const held = yield* makePaymentIntent(undefined, { customer: customerId })
      const [first, late] = [planned(setup(id)), planned(setup(id))]
      for (const payment of [first, late]) yield* prepare(payment)
      yield* record(recorded(first))

      const refusals = Effect.forEach([setup(id), intent(held.id), token(methodId)], (reference) =>
        refusalOf(planned(reference))
      )
      const unknown = ["no such setup intent", "no such payment intent", "no such payment token"]
      assert.deepStrictEqual(yield* refusals, unknown)
      const { organizationId } = first
      for (const reference of [setup(id), intent(held.id), token(methodId)]) {
        yield* prepare(planned(reference, { organizationId }))
      }

      // The case was prepared before the customer was taken, so it has its payment, but the patient has no method.
      const initial = recorded(late)
      yield* record(initial)
      assert.deepInclude(yield* stored(late), { isPrepared: false, userId: initial.userId })
      assert.isTrue(Option.isNone(yield* methods.find(late.organizationId, initial.userId)))

      yield* Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`DELETE FROM patient_customers WHERE customer_id = ${customerId}`
      )
      assert.isTrue(yield* decide(organizationId, customerId))
      assert.deepStrictEqual(yield* refusals, unknown)
      yield* Effect.promise(() => client.customers.del(customerId))
      assert.strictEqual(yield* refusalOf(planned(setup(id))), "no such setup intent")
    })
  )

  it.effect(
    "the paying reference and the saved method are looked up concurrently; of two refusals that of the paying one is returned",
    () =>
      Effect.gen(function* () {
        const { control } = yield* TestStripe
        const [pi, seti] = [(yield* makePaymentIntent()).id, (yield* makeSetupIntent()).id]
        yield* control.forgetRequests
        yield* control.addTrouble({ path: "/v1/payment_intents/*", does: "timeOutBefore" })
        const preparing = yield* Effect.forkChild(prepare(planned(intent(pi), { setupIntentId: seti })))
        yield* until(control.requests, (requests) => requests.length === 2)
        yield* Fiber.interrupt(preparing)
        // The second reference is refused before the gateway is called.
        const refused = planned(intent("pi_unknown"), { setupIntentId: "cus_1" })
        assert.strictEqual(yield* refusalOf(refused), "no such payment intent")
      })
  )

  it.effect("an intent pays one case of an organization, of 10 concurrent ones, and none of another organization", () =>
    Effect.gen(function* () {
      const organizationId = newOrganization()
      const { id } = yield* makePaymentIntent(organizationId)
      const payments = Array.from({ length: 10 }, () => planned(intent(id), { organizationId }))
      const refusals = yield* Effect.forEach(payments, (payment) => Effect.option(refusalOf(payment)), {
        concurrency: "unbounded"
      })
      const inUse = Option.some("IntentInUse")
      assert.deepStrictEqual(
        refusals.filter(Option.isSome),
        Array.from({ length: 9 }, () => inUse)
      )
      const first = payments[refusals.findIndex(Option.isNone)]
      assert.isDefined(first)
      yield* release(first)
      assert.isUndefined(yield* stored(first))
      yield* prepare(planned(intent(id), { organizationId }))
    })
  )

  it.effect("a succeeded intent makes the payment PAID, an authorized one AUTHORIZED, an open one UNPAID", () =>
    Effect.gen(function* () {
      const held = { ...withVisa, capture_method: "manual" } as const
      for (const [changes, status] of [
        [withVisa, "PAID"],
        [held, "AUTHORIZED"],
        [{}, "UNPAID"]
      ] as const) {
        const payment = planned(intent((yield* makePaymentIntent(undefined, changes)).id))
        yield* prepare(payment)
        yield* record(recorded(payment))
        assert.deepInclude(yield* stored(payment), { status, isPrepared: false, differsFromGateway: false })
      }
    })
  )

  it.effect("the payment follows its intent, before and after the case is stored", () =>
    Effect.gen(function* () {
      const payments = yield* Payments
      const { client } = yield* TestStripe
      for (const isBefore of [true, false]) {
        const open = yield* makePaymentIntent()
        const payment = planned(intent(open.id))
        yield* prepare(payment)
        const paid = yield* Effect.promise(() => client.paymentIntents.confirm(open.id, visa))
        const observed = payments.observe(stateOfIntent(paid, 1))
        if (isBefore) yield* observed
        yield* record(recorded(payment))
        if (!isBefore) yield* observed
        assert.deepInclude(yield* stored(payment), { status: "PAID", outcome: "SUCCEEDED", isPrepared: false })
      }
    })
  )

  it.effect("the expiry of the intent's authorization is known immediately", () =>
    Effect.gen(function* () {
      const payments = yield* Payments
      const { created, id } = yield* makePaymentIntent(undefined, { ...withVisa, capture_method: "manual" })
      yield* prepare(planned(intent(id)))
      const { state } = Option.getOrThrow(yield* payments.findIntent(id))
      assert.isAbove(state.heldUntil ?? 0, created)
    })
  )

  it.effect("the gateway's amount of the intent is stored, and whether the payment differs from it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      for (const [changes, currency, amount, worth, differs] of [
        [{}, "USD", "299.99", "299.99 USD", false],
        [{ amount: 1500, currency: "jpy" }, "JPY", "1500", "1500 JPY", false],
        [{ amount: 12_340, currency: "kwd" }, "KWD", "12.34", "12.34 KWD", false],
        [{ amount: 100 }, "USD", "299.99", "1 USD", true],
        [{ currency: "eur" }, "USD", "299.99", "299.99 EUR", true]
      ] as const) {
        const { id } = yield* makePaymentIntent(undefined, changes)
        const payment = planned(intent(id), { amount, currency })
        yield* prepare(payment)
        assert.deepInclude(yield* stored(payment), { grossAmount: amount, amount, differsFromGateway: differs })
        const [intentRow] = yield* sql`
          SELECT trim_scale(amount) || ' ' || currency AS worth FROM payment_intents WHERE id = ${id}
        `
        assert.deepStrictEqual(intentRow, { worth })
      }
    })
  )

  it.effect(
    "the method of a confirmed setup intent, or of a token, is saved for the patient when the case is stored",
    () =>
      Effect.gen(function* () {
        const methods = yield* SavedMethods
        const { client } = yield* TestStripe
        const organizationId = newOrganization()
        const confirmed = yield* makeSetupIntent()
        const customer = yield* Effect.promise(() => client.customers.create({}))
        const attached = yield* Effect.promise(() =>
          client.paymentMethods.attach("pm_card_visa", { customer: customer.id })
        )
        const ofSetup = { customerId: confirmed.customer, paymentMethodId: confirmed.payment_method }
        for (const [payment, method] of [
          [planned(setup(confirmed.id), { organizationId }), ofSetup],
          [planned(token(attached.id)), { customerId: customer.id, paymentMethodId: attached.id }],
          [planned(intent((yield* makePaymentIntent()).id), { organizationId, setupIntentId: confirmed.id }), ofSetup],
          [planned(token("pm_card_visa")), undefined]
        ] as const) {
          yield* prepare(payment)
          const initial = recorded(payment)
          const saved = Effect.map(methods.find(payment.organizationId, initial.userId), Option.getOrUndefined)
          assert.isUndefined(yield* saved)
          yield* record(initial)
          assert.deepStrictEqual(yield* saved, method)
        }
      })
  )

  it.effect(
    "promo codes of products, and then of the whole, lower the amount; gross amount, discount and amount are stored",
    () =>
      Effect.gen(function* () {
        const organizationId = newOrganization()
        const whole = yield* newCode({ organizationId, percentDiscount: "10" })
        const own = yield* newCode({ organizationId, flatDiscount: "20.5" })
        const discounts = {
          whole: { code: whole, bundleIds: [] },
          products: [{ code: own, bundleIds: [], price: "199.99" }]
        }
        const payment = planned(setup((yield* makeSetupIntent()).id), { organizationId, discounts })
        const amounts = { grossAmount: "299.99", discount: "48.45", amount: "251.54" }
        assert.deepStrictEqual(yield* prepare(payment), { discount: "48.45" })
        assert.deepInclude(yield* stored(payment), { ...amounts, isPrepared: true })
        yield* record(recorded(payment, "48.45"))
        assert.deepInclude(yield* stored(payment), { ...amounts, isPrepared: false })
      })
  )

  it.effect("a use is counted once for each case, and not for a refused or released one", () =>
    Effect.gen(function* () {
      const code = yield* newCode({ percentDiscount: "10", maxRedemptions: 1 })
      const discounts = { whole: { code, bundleIds: [] }, products: [] }
      const good = setup((yield* makeSetupIntent()).id)
      yield* refusalOf(planned(setup("seti_unknown"), { discounts }))
      assert.strictEqual(yield* usesOf(code), 0)

      const payment = planned(good, { discounts })
      yield* prepare(payment)
      assert.deepStrictEqual(yield* prepare(payment), { discount: "30" })
      assert.strictEqual(yield* usesOf(code), 1)
      assert.strictEqual(yield* refusalOf(planned(good, { discounts })), code)
      yield* release(payment)
      yield* release(payment)
      assert.deepStrictEqual([yield* usesOf(code), yield* stored(payment)], [0, undefined])

      const prepared = planned(good, { discounts })
      yield* prepare(prepared)
      yield* record(recorded(prepared, "30"))
      yield* release(prepared)
      assert.strictEqual(yield* usesOf(code), 1)
      assert.isDefined(yield* stored(prepared))
    })
  )

  it.effect("a refusal of the intent does not count a use of the promo code", () =>
    Effect.gen(function* () {
      const organizationId = newOrganization()
      const code = yield* newCode({ percentDiscount: "10" })
      const { id } = yield* makePaymentIntent(organizationId)
      yield* prepare(planned(intent(id), { organizationId }))
      const discounts = { whole: { code, bundleIds: [] }, products: [] }
      const second = planned(intent(id), { organizationId, discounts })
      assert.strictEqual(yield* refusalOf(second), "IntentInUse")
      assert.strictEqual(yield* usesOf(code), 0)
    })
  )

  it.effect("an earlier attempt does not release what a later one has prepared", () =>
    Effect.gen(function* () {
      const payments = yield* CasePayments
      const code = yield* newCode({ percentDiscount: "10" })
      const discounts = { whole: { code, bundleIds: [] }, products: [] }
      const first = planned(setup((yield* makeSetupIntent()).id), { discounts })
      const second = { ...first, preparationId: PreparationId.make(randomUUID()) }
      yield* prepare(first)
      yield* prepare(second)
      assert.deepStrictEqual([yield* payments.isPrepared(first), yield* payments.isPrepared(second)], [false, true])
      yield* release(first)
      assert.strictEqual(yield* usesOf(code), 1)
      assert.deepInclude(yield* stored(first), { isPrepared: true })
      yield* record(recorded(second, "30"))
      // A late attempt changes nothing.
      yield* prepare(first)
      yield* release(first)
      assert.deepInclude(yield* stored(first), { isPrepared: false })
      assert.strictEqual(yield* usesOf(code), 1)
    })
  )

  it.effect("while the gateway is away nothing is prepared, and the reference is not reported as unknown", () =>
    Effect.gen(function* () {
      const { control } = yield* TestStripe
      const { id } = yield* makeSetupIntent()
      const payment = planned(setup(id))
      yield* control.addTrouble({ path: "/v1/setup_intents/*", does: "failBefore", times: 10 })
      const exit = yield* Effect.exit(prepare(payment))
      yield* control.clearTroubles
      assert.include(String(exit), "Stripe answered 500")
      assert.isUndefined(yield* stored(payment))
    })
  )
})
