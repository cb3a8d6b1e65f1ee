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
  findByOperationId,
  makeDigestOf,
  Stripe,
  StripeCalls,
  type StripeFailed,
  type StripeRefused,
  stripeExponent
} from "../../stripe/index.ts"
import { refusedIntent } from "./refusedIntent.ts"

// The types that can be saved and charged later without the patient: cards, and wallets with cards.
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

// Adds the operation's id to the metadata, by which the intent is found after a failure.
const withOperationId = <A extends { readonly metadata: StripeClient.MetadataParam }>(
  params: A,
  operationId: string
) => ({
  ...params,
  metadata: { ...params.metadata, operationId }
})

const clientSecretOf = (
  intent: Effect.Effect<{ readonly client_secret: string | null }, StripeRefused | StripeFailed>
) =>
  intent.pipe(Effect.catchTag("StripeFailed", dieUnavailable), Effect.mapError(refusedIntent), Effect.flatMap(secretOf))

type Refusal = RequestInvalid | IdempotencyConflict

/**
 * The creation of intents at the gateway. Their metadata name the organization, by which their events are assigned, and the patient with
 * the email, if there is one.
 */
export class Intents extends Context.Service<
  Intents,
  {
    /** Creates a payment intent, and returns its client secret. Only the idempotency key stores the secret, sealed. */
    readonly createPayment: (
      organizationId: OrganizationId,
      intent: NewPaymentIntent,
      idempotencyKey: string | undefined
    ) => Effect.Effect<string, Refusal>
    /** Creates a setup intent, which saves a payment method for payments without the patient, and returns its client secret. */
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
        const patient = email === undefined ? Option.none() : yield* directory.findPatientByEmail(organizationId, email)
        return { organizationId, email, userId: Option.getOrUndefined(patient) }
      })

      // A repeated request may have other parameters, because the email has another patient or customer by now. Then it creates another
      // intent: the client secret of the first one was never returned.
      const operationOf = (organizationId: OrganizationId, { intentId }: IntentIds, params: object) =>
        Effect.map(digestOf(organizationId, params), (digest) => `intent-${intentId}-${digest}`)

      const customerOf = (owner: CustomerOwner, id: string) =>
        Effect.mapError(customers.findOrCreate(owner, id), refusedIntent)

      const newPayment = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        { amount, currency = defaultCurrency, metadata = {}, paymentMethodTypes }: NewPaymentIntent,
        ids: IntentIds
      ) {
        const owner = yield* ownerOf(organizationId, metadata.email)
        const params = {
          amount: toMinorUnits(toAmount(amount), stripeExponent(currency)),
          currency: currency.toLowerCase(),
          metadata: metadataOf(owner, metadata.phone),
          ...(owner.email !== undefined && { customer: yield* customerOf(owner, ids.customerId) }),
          ...(paymentMethodTypes && { allowed_payment_method_types: [...paymentMethodTypes] })
        }
        const operation = yield* operationOf(organizationId, ids, params)
        const { customer } = params
        const intent = calls.make({
          organizationId,
          operation,
          name: "paymentIntents.create",
          call: ({ paymentIntents }, key) => paymentIntents.create(withOperationId(params, operation), key),
          look: ({ since, until }) =>
            findByOperationId(stripe, organizationId, "paymentIntents.list", operation, ({ paymentIntents }) =>
              paymentIntents.list(
                customer === undefined
                  ? { created: { gte: since, lte: until }, limit: 100 }
                  : { customer, created: { gte: since }, limit: 100 }
              )
            )
        })
        return yield* clientSecretOf(intent)
      })

      const newSetup = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        { email: outerEmail, metadata = {} }: NewSetupIntent,
        ids: IntentIds
      ) {
        const { email = outerEmail, phone } = metadata
        const owner = yield* ownerOf(organizationId, email)
        const customer = yield* customerOf(owner, ids.customerId)
        const params = {
          customer,
          usage: "off_session",
          allowed_payment_method_types: savableTypes,
          metadata: metadataOf(owner, phone)
        } as const
        const operation = yield* operationOf(organizationId, ids, params)
        const intent = calls.make({
          organizationId,
          operation,
          name: "setupIntents.create",
          call: ({ setupIntents }, key) => setupIntents.create(withOperationId(params, operation), key),
          look: ({ since }) =>
            findByOperationId(stripe, organizationId, "setupIntents.list", operation, ({ setupIntents }) =>
              setupIntents.list({ customer, created: { gte: since }, limit: 100 })
            )
        })
        return yield* clientSecretOf(intent)
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
