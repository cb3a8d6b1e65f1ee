import type { IdempotencyConflict, RequestInvalid } from "@care/domain/http"
import { type OrganizationId, Uuid } from "@care/domain/ids"
import {
  defaultCurrency,
  type NewPaymentIntent,
  type NewSetupIntent,
  toAmount,
  toMinorUnits
} from "@care/domain/payments"
import { Once, onceOperation } from "@care/once"
import { Context, Effect, Layer, Option, Schema } from "effect"
import type StripeClient from "stripe"
import { type CustomerOwner, Customers } from "../../customers/index.ts"
import { Directory } from "../../Directory.ts"
import {
  dieUnavailable,
  findMade,
  makeDigestOf,
  Stripe,
  StripeCalls,
  type StripeFailed,
  type StripeRefused,
  stripeExponent
} from "../../stripe/index.ts"
import { refusedIntent } from "./refusedIntent.ts"

// What can be saved, and have an amount held on it later while the patient is not there: cards, and the wallets that have them.
const savableTypes: Array<StripeClient.SetupIntentCreateParams.AllowedPaymentMethodType> = ["card"]

const ids = { customerId: Uuid, intentId: Uuid }
type IntentIds = { readonly [Id in keyof typeof ids]: string }

const operation = (name: string) => onceOperation({ name, version: 1, ids, answer: Schema.String })

const paymentCreation = operation("createPaymentIntent")
const setupCreation = operation("createSetupIntent")

const secretOf = ({ client_secret: secret }: { readonly client_secret: string | null }) =>
  secret === null ? Effect.die(new Error("The gateway made an intent without a client secret")) : Effect.succeed(secret)

const metadataOf = ({ email, organizationId, userId }: CustomerOwner, phone: string | undefined) => ({
  organizationId,
  ...(userId !== undefined && { userId }),
  ...(email !== undefined && { email }),
  ...(phone !== undefined && { phone })
})

// By what it names, an intent is found that Stripe made and failed to answer.
const naming = <A extends { readonly metadata: StripeClient.MetadataParam }>(asked: A, operationId: string) => ({
  ...asked,
  metadata: { ...asked.metadata, operationId }
})

const answered = (made: Effect.Effect<{ readonly client_secret: string | null }, StripeRefused | StripeFailed>) =>
  made.pipe(Effect.catchTag("StripeFailed", dieUnavailable), Effect.mapError(refusedIntent), Effect.flatMap(secretOf))

type Refusal = RequestInvalid | IdempotencyConflict

/**
 * Intents that we make at the gateway. Each says whose it is (`metadata.organizationId`), which is how its events are the
 * organization's, and of which patient, if there is one with the email.
 */
export class Intents extends Context.Service<
  Intents,
  {
    /** Makes an intent to pay: its client secret, which only the answer and, sealed, the idempotency key have. */
    readonly createPayment: (
      organizationId: OrganizationId,
      intent: NewPaymentIntent,
      idempotencyKey: string | undefined
    ) => Effect.Effect<string, Refusal>
    /** Makes an intent to save a payment method for payments without the patient: its client secret. */
    readonly createSetup: (
      organizationId: OrganizationId,
      intent: NewSetupIntent,
      idempotencyKey: string | undefined
    ) => Effect.Effect<string, Refusal>
  }
>()("@care/payments/intents/Intents") {
  static readonly layer = Layer.effect(
    Intents,
    Effect.gen(function* () {
      const calls = yield* StripeCalls
      const customers = yield* Customers
      const digestOf = yield* makeDigestOf
      const directory = yield* Directory
      const once = yield* Once
      const stripe = yield* Stripe

      const ownerOf = Effect.fnUntraced(function* (organizationId: OrganizationId, email: string | undefined) {
        const patient = email === undefined ? Option.none() : yield* directory.patientWith(organizationId, email)
        return { organizationId, email, userId: Option.getOrUndefined(patient) }
      })

      // The same request again may ask for something else: the email is a patient's by now, or its customer another one. Nobody was
      // told the secret of an intent whose answer was lost.
      const operationOf = (organizationId: OrganizationId, { intentId }: IntentIds, asked: object) =>
        `intent-${intentId}-${digestOf(organizationId, asked)}`

      const customerOf = (owner: CustomerOwner, id: string) => Effect.mapError(customers.of(owner, id), refusedIntent)

      const newPayment = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        { amount, currency = defaultCurrency, metadata = {}, paymentMethodTypes }: NewPaymentIntent,
        ids: IntentIds
      ) {
        const owner = yield* ownerOf(organizationId, metadata.email)
        const asked = {
          amount: toMinorUnits(toAmount(amount), stripeExponent(currency)),
          currency: currency.toLowerCase(),
          metadata: metadataOf(owner, metadata.phone),
          ...(owner.email !== undefined && { customer: yield* customerOf(owner, ids.customerId) }),
          ...(paymentMethodTypes && { allowed_payment_method_types: [...paymentMethodTypes] })
        }
        const operation = operationOf(organizationId, ids, asked)
        const { customer } = asked
        const made = calls.make({
          organizationId,
          operation,
          name: "paymentIntents.create",
          call: ({ paymentIntents }, key) => paymentIntents.create(naming(asked, operation), key),
          look: ({ since, until }) =>
            findMade(stripe, organizationId, "paymentIntents.list", operation, ({ paymentIntents }) =>
              paymentIntents.list(
                customer === undefined
                  ? { created: { gte: since, lte: until }, limit: 100 }
                  : { customer, created: { gte: since }, limit: 100 }
              )
            )
        })
        return yield* answered(made)
      })

      const newSetup = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        { email: outer, metadata = {} }: NewSetupIntent,
        ids: IntentIds
      ) {
        const { email = outer, phone } = metadata
        const owner = yield* ownerOf(organizationId, email)
        const customer = yield* customerOf(owner, ids.customerId)
        const asked = {
          customer,
          usage: "off_session",
          allowed_payment_method_types: savableTypes,
          metadata: metadataOf(owner, phone)
        } as const
        const operation = operationOf(organizationId, ids, asked)
        const made = calls.make({
          organizationId,
          operation,
          name: "setupIntents.create",
          call: ({ setupIntents }, key) => setupIntents.create(naming(asked, operation), key),
          look: ({ since }) =>
            findMade(stripe, organizationId, "setupIntents.list", operation, ({ setupIntents }) =>
              setupIntents.list({ customer, created: { gte: since }, limit: 100 })
            )
        })
        return yield* answered(made)
      })

      return Intents.of({
        createPayment: Effect.fn("Intents.createPayment")((organizationId, intent, key) =>
          once.run(paymentCreation, { organizationId, key, body: intent }, (ids) =>
            Effect.map(newPayment(organizationId, intent, ids), Effect.succeed)
          )
        ),

        createSetup: Effect.fn("Intents.createSetup")((organizationId, intent, key) =>
          once.run(setupCreation, { organizationId, key, body: intent }, (ids) =>
            Effect.map(newSetup(organizationId, intent, ids), Effect.succeed)
          )
        )
      })
    })
  ).pipe(Layer.provide(Customers.layer))
}
