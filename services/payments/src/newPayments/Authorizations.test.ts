import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { pricedPayment } from "../../test/heldPayment.ts"
import { newPatient } from "../../test/newPatient.ts"
import { layerOperations } from "../../test/operations.ts"
import { TestStripe } from "../../test/testStripe.ts"
import { SavedMethods } from "../savedMethods/SavedMethods.ts"
import { Stripe } from "../stripe/Stripe.ts"
import { Authorizations } from "./Authorizations.ts"

layer(layerOperations, { excludeTestServices: true })("Authorizations", (it) => {
  it.effect(
    "of two tries at once, each with a method of its own, the intent that is stored first is held, and no other",
    () =>
      Effect.gen(function* () {
        const authorizations = yield* Authorizations
        const methods = yield* SavedMethods
        const stripe = yield* Stripe
        const { client, control, impatiently } = yield* TestStripe
        const patient = yield* newPatient("pm_card_visa")
        const payment = pricedPayment(patient)
        const operationId = randomUUID()

        // Holds the amount on a newer method, and dies before it is told.
        const other = Effect.gen(function* () {
          const { id: paymentMethodId } = yield* Effect.promise(() =>
            client.paymentMethods.attach("pm_card_visa", { customer: patient.customerId })
          )
          yield* Effect.orDie(methods.save({ ...patient, paymentMethodId }))
          yield* control.addTrouble({ method: "POST", path: "/v1/payment_intents/*/confirm", does: "hangUpAfter" })
          yield* impatiently(Effect.exit(authorizations.authorize(payment, operationId)))
        })
        const interrupted = Layer.succeed(Stripe, {
          ...stripe,
          ask: (name, call) =>
            Effect.tap(stripe.ask(name, call), () => (name === "paymentIntents.create" ? other : Effect.void))
        })
        const first = Effect.flatMap(Authorizations, ({ authorize }) => authorize(payment, operationId))
        const stored = yield* Effect.provide(first, Layer.fresh(Authorizations.layer).pipe(Layer.provide(interrupted)))

        const intents = yield* patient.intents
        assert.sameMembers(
          intents.map(({ status }) => status),
          ["requires_capture", "requires_confirmation"]
        )
        const held = intents.find(({ status }) => status === "requires_capture")
        assert.deepInclude(yield* stored, { status: "AUTHORIZED", operationId: null, intentId: held?.id ?? "none" })
      })
  )
})
