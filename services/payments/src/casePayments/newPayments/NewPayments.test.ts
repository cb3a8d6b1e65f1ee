import { randomUUID } from "node:crypto"
import { IdempotencyConflict } from "@care/domain/http"
import { PaymentId } from "@care/domain/ids"
import { PaymentMethodMissing } from "@care/domain/payments"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import {
  authorizedIntents,
  create,
  failed,
  holdsOnce,
  layerNewPayments,
  type Patient,
  rows,
  settleAll,
  someone,
  steps
} from "../../../test/newPayments.ts"
import { hasUnknownOutcome, TestStripe } from "../../../test/testStripe.ts"
import { SavedMethods } from "../../customers/savedMethods/SavedMethods.ts"
import { type NewPayment, Payments } from "../../payments/Payments.ts"
import type { IntentUpdate } from "../../stripe/IntentState.ts"
import { emptyIntentState } from "../../stripe/IntentState.ts"

layer(layerNewPayments, { excludeTestServices: true, timeout: "60 seconds" })("NewPayments", (it) => {
  const requestsTo = (end: string) =>
    Effect.flatMap(TestStripe, ({ control }) =>
      Effect.map(control.requests, (all) => all.filter(({ method, path }) => method === "POST" && path.endsWith(end)))
    )

  // A patient whose case began with a payment of this price or reference.
  const patientWithInitial = Effect.fnUntraced(function* (
    began: Pick<NewPayment, "currency" | "amount" | "intentId">,
    update?: IntentUpdate
  ) {
    const patient = yield* someone("pm_card_visa")
    const { caseId, organizationId, userId } = patient
    const payments = yield* Payments
    yield* Effect.orDie(
      payments.add(
        {
          organizationId,
          id: PaymentId.make(randomUUID()),
          caseId,
          userId,
          productId: null,
          isInitial: true,
          isPrepared: false,
          status: "UNPAID",
          grossAmount: began.amount,
          discount: null,
          description: null,
          providerReferenceType: began.intentId === null ? null : "PAYMENT_INTENT",
          providerReferenceId: began.intentId,
          ...began
        },
        update
      )
    )
    return patient
  })

  // The amounts of the patient's intents at the gateway, in minor units.
  const authorizedAmounts = Effect.fnUntraced(function* ({ customerId }: Patient) {
    const { client } = yield* TestStripe
    const { data } = yield* Effect.promise(() => client.paymentIntents.list({ customer: customerId }))
    return data.map(({ amount, currency }) => [amount, currency])
  })

  // Saves another card of the patient's customer, and returns its id.
  const saveNewer = Effect.fnUntraced(function* (patient: Patient) {
    const methods = yield* SavedMethods
    const { client } = yield* TestStripe
    const { id: paymentMethodId } = yield* Effect.promise(() =>
      client.paymentMethods.attach("pm_card_visa", { customer: patient.customerId })
    )
    yield* methods.save({ ...patient, paymentMethodId })
    return paymentMethodId
  })

  const patientInDinars = patientWithInitial({ currency: "KWD", amount: "1", intentId: null })

  it.effect(
    "a payment that is not preauthorized calls no gateway, and has the currency of the case's first payment",
    () =>
      Effect.gen(function* () {
        const patient = yield* patientInDinars
        const { control } = yield* TestStripe
        const before = yield* control.requests
        const created = yield* create(patient, { preauthorize: false, amount: 1.234 })
        assert.deepInclude(created, { status: "UNPAID", amount: 1.234, description: "Second month" })
        assert.deepInclude((yield* rows(patient))[0], { id: created.paymentId, amount: "1.234", currency: "KWD" })
        assert.deepStrictEqual(yield* control.requests, before)
      })
  )

  // A patient whose case began without a currency, and the effect that reports the currency of its intent.
  const patientWithoutCurrency = Effect.gen(function* () {
    const intentId = `pi_${randomUUID()}`
    const patient = yield* patientWithInitial({ currency: null, amount: null, intentId })
    const { organizationId } = patient
    const state = { ...emptyIntentState, worth: { units: 5000, currency: "JPY", asOf: 1 }, isPaid: true }
    const payments = yield* Payments
    return { patient, observeYen: payments.observe({ intentId, organizationId, state }) }
  })

  it.effect("a case that began without a currency uses that of its intent, once it is known", () =>
    Effect.gen(function* () {
      const { observeYen, patient } = yield* patientWithoutCurrency
      yield* create(patient, { amount: 5000 })
      yield* observeYen
      const refused = yield* Effect.flip(create(patient, { amount: 0.5 }))
      assert.deepInclude(refused, { _tag: "RequestInvalid", reason: "must have no decimals in JPY" })
      yield* create(patient, { amount: 5000 })
      assert.deepStrictEqual(
        (yield* rows(patient)).map(({ amount, currency, status }) => [amount, currency, status]),
        [
          ["5000", "USD", "AUTHORIZED"],
          ["5000", "JPY", "AUTHORIZED"]
        ]
      )
      assert.sameDeepMembers(yield* authorizedAmounts(patient), [
        [500_000, "usd"],
        [5000, "jpy"]
      ])
    })
  )

  it.effect("a repeated request keeps the currency of its payment, even if another one is known since", () =>
    Effect.gen(function* () {
      const { observeYen, patient } = yield* patientWithoutCurrency
      const key = randomUUID()
      const { control, withShortTimeout } = yield* TestStripe
      yield* control.addTrouble({ method: "POST", path: steps["making the intent"], does: "hangUpBefore", times: 2 })
      assert.isTrue(hasUnknownOutcome(yield* withShortTimeout(Effect.exit(create(patient, { amount: 5000 }, key)))))
      yield* control.clearTroubles
      yield* observeYen
      assert.strictEqual((yield* create(patient, { amount: 5000 }, key)).status, "AUTHORIZED")
      assert.deepInclude((yield* rows(patient))[0], { amount: "5000", currency: "USD" })
      assert.deepStrictEqual(yield* authorizedAmounts(patient), [[500_000, "usd"]])
    })
  )

  for (const [settled, when] of [
    [true, "after the job has settled it"],
    [false, "before the job has settled it"]
  ] as const) {
    it.effect(`an amount that was authorized in one currency is not refused for one that is known since, ${when}`, () =>
      Effect.gen(function* () {
        const { observeYen, patient } = yield* patientWithoutCurrency
        const { key } = yield* failed(steps["holding the amount"], "hangUpAfter", patient)
        yield* observeYen
        if (settled) yield* settleAll(patient)
        const again = yield* create(patient, {}, key)
        assert.deepInclude(again, { status: "AUTHORIZED", amount: 299.99 })
        const [payment, ...others] = yield* rows(patient)
        assert.deepInclude(payment, { id: again.paymentId, currency: "USD", operationId: null })
        assert.isEmpty(others)
        assert.deepStrictEqual(yield* authorizedAmounts(patient), [[29_999, "usd"]])
        // The key still works: repeating the request authorizes nothing else.
        assert.instanceOf(yield* Effect.flip(create(patient, { amount: 300 }, key)), IdempotencyConflict)
      })
    )
  }

  it.effect("the currency of the case's first payment wins over its intent's", () =>
    Effect.gen(function* () {
      const intentId = `pi_${randomUUID()}`
      const state = { ...emptyIntentState, worth: { units: 5000, currency: "JPY", asOf: 1 } }
      const began = { currency: "EUR", amount: "10", intentId }
      const patient = yield* patientWithInitial(began, { intentId, organizationId: undefined, state })
      yield* create(patient, { preauthorize: false })
      assert.deepInclude((yield* rows(patient))[0], { currency: "EUR" })
    })
  )

  for (const namesOwner of [true, false]) {
    const owner = namesOwner ? "names another organization" : "another organization named first"
    it.effect(`the currency of an intent that ${owner} is not the case's`, () =>
      Effect.gen(function* () {
        const intentId = `pi_${randomUUID()}`
        const began = { currency: null, amount: null, intentId }
        const first = yield* patientWithInitial(began)
        const second = yield* patientWithInitial(began)
        const [owner, other] = namesOwner ? [second, first] : [first, second]
        const organizationId = namesOwner ? owner.organizationId : undefined
        const state = { ...emptyIntentState, worth: { units: 5000, currency: "JPY", asOf: 1 } }
        yield* Effect.flatMap(Payments, (payments) => payments.observe({ intentId, organizationId, state }))
        for (const patient of [owner, other]) yield* create(patient, { amount: 5000, preauthorize: false })
        assert.deepInclude((yield* rows(owner))[0], { currency: "JPY" })
        assert.deepInclude((yield* rows(other))[0], { currency: "USD" })
      })
    )
  }

  it.effect("an amount that the gateway cannot authorize in its currency is refused", () =>
    Effect.gen(function* () {
      const patient = yield* patientInDinars
      const reason = "The amount is none that can be held in the currency of the case's payments"
      const refused = yield* Effect.flip(create(patient, { amount: 1.234 }))
      assert.deepInclude(refused, { _tag: "PaymentDeclined", reason })
      assert.strictEqual((yield* create(patient, { amount: 1.23 })).status, "AUTHORIZED")
    })
  )

  it.effect("an amount with too many decimals for its currency is refused, and nothing is stored", () =>
    Effect.gen(function* () {
      const patient = yield* someone()
      for (const [amount, reason] of [
        [0.001, "must have at most 2 decimals in USD"],
        [0.1 + 0.2, "must have at most 2 decimals in USD"]
      ] as const) {
        const refused = yield* Effect.flip(create(patient, { amount, preauthorize: false }))
        assert.deepInclude(refused, { _tag: "RequestInvalid", path: "amount", reason })
      }
      assert.isEmpty(yield* rows(patient))
      assert.strictEqual((yield* create(patient, { amount: 999999999.99, preauthorize: false })).amount, 999999999.99)
    })
  )

  it.effect("an amount is authorized on the saved method, and the intent names the case and the payment", () =>
    Effect.gen(function* () {
      const patient = yield* someone("pm_card_visa")
      const { paymentId, status } = yield* create(patient)
      assert.strictEqual(status, "AUTHORIZED")
      const { caseId, organizationId } = patient
      const [intent] = yield* patient.intents
      assert.strictEqual(intent?.status, "requires_capture")
      assert.deepInclude(intent?.metadata, { caseId, organizationId, paymentId })
      assert.deepInclude((yield* rows(patient))[0], { status: "AUTHORIZED", operationId: null })
    })
  )

  it.effect("20 concurrent requests with one key: one payment, one intent, one authorization, one answer", () =>
    Effect.gen(function* () {
      const patient = yield* someone("pm_card_visa")
      const key = randomUUID()
      const { control } = yield* TestStripe
      yield* control.forgetRequests
      const answers = yield* Effect.all(
        Array.from({ length: 20 }, (_, index) =>
          index % 2 === 0 ? create(patient, {}, key) : create(patient, { idempotencyKey: key }, "another")
        ),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1)
      assert.lengthOf(yield* rows(patient), 1)
      assert.lengthOf(yield* patient.intents, 1)
      assert.lengthOf(yield* requestsTo("/payment_intents"), 1)
      assert.lengthOf(yield* requestsTo("/confirm"), 1)
      const other = yield* Effect.flip(create(patient, { amount: 1, idempotencyKey: key }))
      assert.instanceOf(other, IdempotencyConflict)
    })
  )

  it.effect("without a saved method nothing is stored, and the key is free", () =>
    Effect.gen(function* () {
      const patient = yield* someone()
      const key = randomUUID()
      assert.instanceOf(yield* Effect.flip(create(patient, {}, key)), PaymentMethodMissing)
      assert.isEmpty(yield* rows(patient))
      assert.strictEqual((yield* create(patient, { preauthorize: false }, key)).status, "UNPAID")
    })
  )

  it.effect("a method that is declined makes the payment an ERROR; the same key tries a new one", () =>
    Effect.gen(function* () {
      for (const [card, reason] of [
        ["pm_card_chargeCustomerFail", "The patient's payment method was declined"],
        [
          "pm_card_authenticationRequired",
          "The patient's bank wants the patient to confirm the payment: they have to pay themselves"
        ]
      ] as const) {
        const patient = yield* someone(card)
        const key = randomUUID()
        const refused = yield* Effect.flip(create(patient, {}, key))
        assert.deepInclude(refused, { _tag: "PaymentDeclined", reason })
        assert.deepInclude((yield* rows(patient))[0], { status: "ERROR", operationId: null })

        yield* saveNewer(patient)
        assert.strictEqual((yield* create(patient, {}, key)).status, "AUTHORIZED")
        assert.deepStrictEqual((yield* rows(patient)).map(({ status }) => status).sort(), ["AUTHORIZED", "ERROR"])
        const statuses = (yield* patient.intents).map(({ status }) => status).sort()
        assert.deepStrictEqual(statuses, ["requires_capture", "requires_payment_method"])
      }
    })
  )

  it.effect("after a lost response the same key authorizes the amount once, on a method that was saved since", () =>
    Effect.gen(function* () {
      const { key, patient } = yield* failed(steps["making the intent"], "hangUpAfter")
      const newer = yield* saveNewer(patient)
      assert.strictEqual((yield* create(patient, {}, key)).status, "AUTHORIZED")
      assert.deepStrictEqual(
        (yield* rows(patient)).map(({ operationId, status }) => [status, operationId]),
        [["AUTHORIZED", null]]
      )
      const { client } = yield* TestStripe
      const [held, ...others] = yield* authorizedIntents(patient)
      assert.isEmpty(others)
      const intent = yield* Effect.promise(() => client.paymentIntents.retrieve(held?.id ?? ""))
      assert.strictEqual(intent.payment_method, newer)
    })
  )

  it.effect("trouble that passes on the first retry has no effect", () =>
    Effect.gen(function* () {
      const patient = yield* someone("pm_card_visa")
      const { control } = yield* TestStripe
      for (const path of Object.values(steps)) yield* control.addTrouble({ method: "POST", path, does: "hangUpAfter" })
      assert.strictEqual((yield* create(patient)).status, "AUTHORIZED")
      assert.lengthOf(yield* patient.intents, 1)
    })
  )

  it.effect(
    "an answer after the job abandoned the authorization authorizes nothing, and the outcome is still unknown",
    () =>
      Effect.gen(function* () {
        const { key, patient } = yield* failed(steps["holding the amount"], "hangUpBefore")
        // It is abandoned and not yet canceled when the late attempt continues.
        yield* settleAll(patient)
        assert.isTrue(hasUnknownOutcome(yield* Effect.exit(create(patient, {}, key))))
        assert.isEmpty(yield* authorizedIntents(patient))
        yield* settleAll(patient)
        yield* holdsOnce(patient, key)
      })
  )

  // A payment whose authorization the job has abandoned and not yet canceled.
  const abandoned = Effect.gen(function* () {
    const { key, patient } = yield* failed(steps["holding the amount"], "hangUpBefore")
    yield* settleAll(patient)
    const [intent] = yield* patient.intents
    return { intentId: intent?.id ?? "", key, patient }
  })

  for (const [end, status] of [
    ["authorize", "AUTHORIZED"],
    ["fail", "ERROR"]
  ] as const) {
    it.effect(
      `while it is being confirmed it cannot be canceled, and nothing else is authorized; then it is ${status}`,
      () =>
        Effect.gen(function* () {
          const { intentId, key, patient } = yield* abandoned
          const { control } = yield* TestStripe
          yield* control.confirm(intentId, { payment_method: "pm_card_authenticationRequired" })
          yield* control.process(intentId)
          assert.propertyVal(yield* Effect.flip(settleAll(patient)), "_tag", "StillProcessing")
          assert.isTrue(hasUnknownOutcome(yield* Effect.exit(create(patient, {}, key))))
          assert.lengthOf(yield* patient.intents, 1)

          yield* control[end](intentId)
          yield* settleAll(patient)
          assert.deepInclude((yield* rows(patient))[0], { status, operationId: null })
          yield* holdsOnce(patient, key)
        })
    )
  }

  it.effect("a refused cancellation of an unconfirmed intent is tried again later", () =>
    Effect.gen(function* () {
      const { intentId, patient } = yield* abandoned
      const { client, control } = yield* TestStripe
      yield* control.confirm(intentId, { payment_method: "pm_card_authenticationRequired" })
      yield* control.process(intentId)
      yield* Effect.exit(settleAll(patient))
      yield* control.fail(intentId)
      yield* Effect.promise(() => client.paymentIntents.update(intentId, { payment_method: "pm_card_visa" }))
      const [before] = yield* rows(patient)
      // The gateway repeats its refusal under one idempotency key.
      assert.propertyVal(yield* Effect.flip(settleAll(patient)), "_tag", "StripeRefused")
      assert.isNotNull(before?.operationId)
      assert.deepStrictEqual((yield* rows(patient))[0], before)
    })
  )

  it.effect("an intent that was captured meanwhile pays the payment, and the same key captures nothing more", () =>
    Effect.gen(function* () {
      const { intentId, key, patient } = yield* abandoned
      const { client, control } = yield* TestStripe
      yield* control.confirm(intentId, { payment_method: "pm_card_visa" })
      yield* Effect.promise(() => client.paymentIntents.capture(intentId))
      yield* settleAll(patient)
      assert.deepInclude((yield* rows(patient))[0], { status: "PAID", operationId: null })
      assert.strictEqual((yield* create(patient, {}, key)).status, "PAID")
      assert.lengthOf(yield* patient.intents, 1)
    })
  )

  it.effect("an intent that was canceled meanwhile ends the payment, and the same key makes another", () =>
    Effect.gen(function* () {
      const { intentId, key, patient } = yield* abandoned
      const { client } = yield* TestStripe
      yield* Effect.promise(() => client.paymentIntents.cancel(intentId))
      yield* settleAll(patient)
      assert.deepInclude((yield* rows(patient))[0], { status: "ERROR", operationId: null })
      yield* holdsOnce(patient, key)
    })
  )

  it.effect("a released authorization is not made again by the same key", () =>
    Effect.gen(function* () {
      const { key, patient } = yield* failed(steps["holding the amount"], "hangUpAfter")
      const { client } = yield* TestStripe
      const [intent] = yield* patient.intents
      yield* Effect.promise(() => client.paymentIntents.cancel(intent?.id ?? ""))
      yield* settleAll(patient)
      assert.strictEqual((yield* create(patient, {}, key)).status, "CANCELED")
      assert.lengthOf(yield* patient.intents, 1)
      // The stored answer contains the description: only the patient's key decrypts it.
      const sql = yield* SqlClient.SqlClient
      const [stored] = yield* sql<{ answer: string; id: string }>`
        SELECT answer, patient_keys.id FROM idempotency_keys JOIN patient_keys USING (organization_id) WHERE organization_id = ${patient.organizationId}
      `
      assert.strictEqual(stored?.answer.split(":")[0], stored?.id ?? "none")
    })
  )
})
