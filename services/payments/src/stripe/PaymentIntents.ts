import type { OrganizationId, PaymentId } from "@care/domain/ids"
import { Clock, Context, Effect, Layer } from "effect"
import type StripeClient from "stripe"
import { mergeFacts } from "../payments/IntentFacts.ts"
import type { IntentNews } from "../payments/Payments.ts"
import type { PaymentRow } from "../payments/PaymentsRepo.ts"
import type { SavedMethod } from "../savedMethods/SavedMethodsRepo.ts"
import { digestOf } from "./digestOf.ts"
import { factsOfCharge, factsOfIntent, factsOfRefund } from "./factsOf.ts"
import { Stripe, type StripeRefused } from "./Stripe.ts"

/** A payment intent as the gateway knows it at the moment. */
export interface IntentNow {
  readonly status: StripeClient.PaymentIntent.Status
  readonly news: IntentNews
}

const withFactsOf = ({ news, status }: IntentNow, more: IntentNews | undefined): IntentNow => ({
  status,
  news: more === undefined ? news : { ...news, facts: mergeFacts(news.facts, more.facts) }
})

/** What is asked for with an intent, in the gateway's smallest units, and the id of the operation that it is a part of. */
interface Asked {
  readonly intentId: string
  readonly operationId: string
}

type Answered = Effect.Effect<IntentNow, StripeRefused>

/**
 * The payment intents that are ours to change. Each call is made once an operation, however often it is repeated: its
 * idempotency key is made of the operation's id.
 */
export class PaymentIntents extends Context.Service<
  PaymentIntents,
  {
    readonly find: (intentId: string) => Answered
    /**
     * Makes an intent that holds nothing before it is confirmed: its id, another one for another price or method. `units` are
     * the gateway's smallest.
     */
    readonly open: (
      payment: Pick<PaymentRow, "organizationId" | "id" | "caseId">,
      price: { readonly units: number; readonly currency: string },
      method: SavedMethod,
      operationId: string
    ) => Effect.Effect<string, StripeRefused>
    /** Holds the amount of an intent, without the patient, whose bank may refuse it. */
    readonly confirm: (asked: Asked) => Answered
    readonly capture: (asked: Asked, units: number) => Answered
    readonly cancel: (asked: Asked) => Answered
    readonly refund: (
      asked: Asked & { readonly organizationId: OrganizationId; readonly paymentId: PaymentId },
      units: number
    ) => Answered
  }
>()("@care/payments/stripe/PaymentIntents") {
  static readonly layer = Layer.effect(
    PaymentIntents,
    Effect.gen(function* () {
      const { ask } = yield* Stripe

      const now = Effect.fnUntraced(function* (intent: StripeClient.PaymentIntent) {
        const news = factsOfIntent(intent, Math.floor((yield* Clock.currentTimeMillis) / 1000))
        const { latest_charge: charge, status } = intent
        // Of an intent that was asked for with its charge, what was given back is known, too.
        const charged = typeof charge === "string" || charge === null ? undefined : factsOfCharge(charge)
        return withFactsOf({ status, news }, charged)
      })

      const answered = (
        name: string,
        call: (client: StripeClient) => Promise<StripeClient.PaymentIntent>
      ): Effect.Effect<IntentNow, StripeRefused> => Effect.flatMap(ask(`paymentIntents.${name}`, call), now)

      const find = (intentId: string) =>
        answered("retrieve", ({ paymentIntents }) => paymentIntents.retrieve(intentId, { expand: ["latest_charge"] }))

      const keyOf = (operationId: string, step: string) => ({ idempotencyKey: `${operationId}-${step}` })

      return PaymentIntents.of({
        find,

        open: ({ caseId, id, organizationId }, { currency, units }, { customerId, paymentMethodId }, operationId) => {
          const asked: StripeClient.PaymentIntentCreateParams = {
            amount: units,
            currency: currency.toLowerCase(),
            capture_method: "manual",
            customer: customerId,
            payment_method: paymentMethodId,
            automatic_payment_methods: { enabled: true, allow_redirects: "never" },
            metadata: { organizationId, caseId, paymentId: id }
          }
          // Another method may be saved by when the operation is tried again.
          const key = keyOf(operationId, `open-${digestOf(asked)}`)
          const made = ask("paymentIntents.create", ({ paymentIntents }) => paymentIntents.create(asked, key))
          return Effect.map(made, (intent) => intent.id)
        },

        confirm: ({ intentId, operationId }) =>
          answered("confirm", ({ paymentIntents }) =>
            paymentIntents.confirm(intentId, { off_session: true }, keyOf(operationId, "confirm"))
          ),

        capture: ({ intentId, operationId }, units) =>
          answered("capture", ({ paymentIntents }) =>
            paymentIntents.capture(intentId, { amount_to_capture: units }, keyOf(operationId, "capture"))
          ),

        cancel: ({ intentId, operationId }) =>
          answered("cancel", ({ paymentIntents }) => paymentIntents.cancel(intentId, {}, keyOf(operationId, "cancel"))),

        refund: Effect.fnUntraced(function* ({ intentId, operationId, organizationId, paymentId }, units) {
          const refund = yield* ask("refunds.create", ({ refunds }) =>
            refunds.create(
              { payment_intent: intentId, amount: units, metadata: { organizationId, paymentId, operationId } },
              keyOf(operationId, "refund")
            )
          )
          return withFactsOf(yield* find(intentId), factsOfRefund(refund))
        })
      })
    })
  )
}
