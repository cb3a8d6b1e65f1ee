import { randomUUID } from "node:crypto"
import { whileHeld } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { pricedPayment } from "../../../test/authorizedPayment.ts"
import { newPatient } from "../../../test/newPatient.ts"
import { layerOperations, row, settle } from "../../../test/operations.ts"
import { TestStripe } from "../../../test/testStripe.ts"
import { SavedMethods } from "../../customers/savedMethods/SavedMethods.ts"
import { PaymentIntents } from "../../stripe/PaymentIntents.ts"
import { Stripe } from "../../stripe/Stripe.ts"
import { StripeCalls } from "../../stripe/StripeCalls.ts"
import { Authorizations } from "./Authorizations.ts"

// Two attempts at one payment. `other` authorizes it, and `first` runs before or after that while it creates its
// intent.
const twoAttempts = Effect.gen(function* () {
  const { authorize } = yield* Authorizations
  const methods = yield* SavedMethods
  const stripe = yield* Stripe
  const { client, control, withShortTimeout } = yield* TestStripe
  const patient = yield* newPatient("pm_card_visa")
  const payment = pricedPayment(patient)
  const operationId = randomUUID()

  // Authorizes the amount on a newer method, and dies before it answers.
  const other = Effect.fnUntraced(function* (customerId: string) {
    const { id: paymentMethodId } = yield* Effect.promise(() =>
      client.paymentMethods.attach("pm_card_visa", { customer: customerId })
    )
    yield* Effect.orDie(methods.save({ ...patient, customerId, paymentMethodId }))
    yield* control.addTrouble({ method: "POST", path: "/v1/payment_intents/*/confirm", does: "hangUpAfter" })
    yield* withShortTimeout(Effect.exit(authorize(payment, operationId)))
  })

  const first = (order: "before" | "after", meanwhile: Effect.Effect<void>) => {
    const interrupted = Layer.succeed(Stripe, {
      ...stripe,
      change: (organizationId, name, call) => {
        const change = stripe.change(organizationId, name, call)
        if (name !== "paymentIntents.create") return change
        return order === "before" ? Effect.andThen(meanwhile, change) : Effect.tap(change, () => meanwhile)
      }
    })
    return Effect.flatMap(Authorizations, (interfered) => interfered.authorize(payment, operationId)).pipe(
      Effect.provide(
        Layer.fresh(Authorizations.layer).pipe(
          Layer.provide(Layer.fresh(PaymentIntents.layer)),
          Layer.provide(Layer.fresh(StripeCalls.layer)),
          Layer.provide(interrupted)
        )
      )
    )
  }
  return { first, other, patient, again: authorize(payment, operationId), held: { ...patient, id: payment.id } }
})

layer(layerOperations, { excludeTestServices: true })("Authorizations", (it) => {
  it.effect(
    "of two concurrent attempts with different methods only the intent that is stored first is authorized",
    () =>
      Effect.gen(function* () {
        const { first, other, patient } = yield* twoAttempts
        const stored = yield* first("after", other(patient.customerId))

        const intents = yield* patient.intents
        assert.sameMembers(
          intents.map(({ status }) => status),
          ["requires_capture", "requires_confirmation"]
        )
        const held = intents.find(({ status }) => status === "requires_capture")
        assert.deepInclude(yield* stored, { status: "AUTHORIZED", operationId: null, intentId: held?.id ?? "none" })
      })
  )

  it.effect(
    "an attempt whose intent is refused does not affect a concurrent one, and nothing is authorized twice",
    () =>
      Effect.gen(function* () {
        const { client } = yield* TestStripe
        const { again, first, held, other, patient } = yield* twoAttempts
        const newer = yield* Effect.promise(() => client.customers.create({}))
        const meanwhile = Effect.andThen(
          other(newer.id),
          Effect.promise(() => client.customers.del(patient.customerId))
        )
        const exit = yield* Effect.exit(first("before", Effect.asVoid(meanwhile)))
        assert.include(String(exit), "PeerUnavailable")
        assert.deepInclude(yield* row(held), { status: "UNPAID", operation: "AUTHORIZE" })

        const stored = yield* yield* again
        const { data } = yield* Effect.promise(() => client.paymentIntents.list({ customer: newer.id }))
        assert.deepStrictEqual(
          data.map(({ id, status }) => [id, status]),
          [[stored.intentId, "requires_capture"]]
        )
        assert.deepInclude(stored, { status: "AUTHORIZED", operationId: null })
      })
  )

  it.effect("a job does not end an authorization whose intent is stored while it looks", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { first, held } = yield* twoAttempts
      yield* Effect.exit(first("before", Effect.die("It is killed")))
      const stored = sql`UPDATE payments SET intent_id = ${`pi_${held.id}`} WHERE id = ${held.id}`
      const [, [settled]] = yield* whileHeld(stored, [Effect.exit(settle(held))])
      assert.include(String(settled), "StillProcessing")
      assert.deepInclude(yield* row(held), { status: "UNPAID", operation: "AUTHORIZE", intentId: `pi_${held.id}` })
    })
  )
})
