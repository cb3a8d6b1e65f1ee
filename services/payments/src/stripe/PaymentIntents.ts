import type { CaseId, OrganizationId, PaymentId } from "@care/domain/ids"
import { Clock, Context, Data, Effect, Layer } from "effect"
import type StripeClient from "stripe"
import { findMade } from "./findMade.ts"
import type { IntentUpdate } from "./IntentState.ts"
import { isFailedRefund, stateOfChargedIntent, stateOfRefund, withState } from "./intentStateOf.ts"
import { makeDigestOf } from "./makeDigestOf.ts"
import { type CalledFor, dieUnavailable, Stripe, type StripeFailed, type StripeRefused } from "./Stripe.ts"
import { type StripeCall, StripeCalls } from "./StripeCalls.ts"

/** A payment intent as the gateway knows it at the moment. */
export interface IntentNow {
  readonly status: StripeClient.PaymentIntent.Status
  readonly update: IntentUpdate
}

/** The patient's bank sent back what the operation gave back: nothing is given back by it any more, and nothing will be. */
export class RefundFailed extends Data.TaggedError("RefundFailed")<{ readonly update: IntentUpdate }> {}

/** What is asked for with an intent, in the gateway's smallest units, and the id of the operation that it is a part of. */
interface Asked {
  readonly organizationId: OrganizationId
  readonly intentId: string
  readonly operationId: string
}

type Answered = Effect.Effect<IntentNow, StripeRefused>
/** Of one that is not tried again by whoever asked for it: the gateway failed, and nothing happened. */
type Tried = Effect.Effect<IntentNow, StripeRefused | StripeFailed>

/**
 * The payment intents that are ours to change. Each change is made once an operation, however often it is repeated.
 */
export class PaymentIntents extends Context.Service<
  PaymentIntents,
  {
    readonly find: (calledFor: CalledFor, intentId: string) => Answered
    /**
     * Makes an intent that holds nothing before it is confirmed: its id, another one for another price or method. `units` are
     * the gateway's smallest.
     */
    readonly open: (
      payment: { readonly organizationId: OrganizationId; readonly caseId: CaseId; readonly id: PaymentId },
      price: { readonly units: number; readonly currency: string },
      method: { readonly customerId: string; readonly paymentMethodId: string },
      operationId: string
    ) => Effect.Effect<string, StripeRefused>
    /** Holds the amount of an intent, without the patient, whose bank may refuse it. */
    readonly confirm: (asked: Asked) => Answered
    readonly capture: (asked: Asked, units: number) => Tried
    readonly cancel: (asked: Asked) => Tried
    readonly refund: (
      asked: Asked & { readonly paymentId: PaymentId },
      units: number
    ) => Effect.Effect<IntentNow, StripeRefused | StripeFailed | RefundFailed>
  }
>()("@care/payments/stripe/PaymentIntents") {
  static readonly layer = Layer.effect(
    PaymentIntents,
    Effect.gen(function* () {
      const calls = yield* StripeCalls
      const digestOf = yield* makeDigestOf
      const stripe = yield* Stripe

      const now = Effect.fnUntraced(function* (intent: StripeClient.PaymentIntent) {
        const update = stateOfChargedIntent(intent, Math.floor((yield* Clock.currentTimeMillis) / 1000))
        return { status: intent.status, update }
      })

      const retrieve = (calledFor: CalledFor, intentId: string) =>
        stripe.ask(calledFor, "paymentIntents.retrieve", ({ paymentIntents }) =>
          paymentIntents.retrieve(intentId, { expand: ["latest_charge"] })
        )

      const find = (calledFor: CalledFor, intentId: string) => Effect.flatMap(retrieve(calledFor, intentId), now)

      // A step of an operation, which has happened once the intent's status says so.
      const step = (
        { intentId, operationId, organizationId }: Asked,
        name: "cancel" | "capture" | "confirm",
        hasHappened: (status: StripeClient.PaymentIntent.Status) => boolean,
        call: StripeCall<StripeClient.PaymentIntent>["call"]
      ) =>
        calls
          .make({
            organizationId,
            operation: `${operationId}-${name}`,
            name: `paymentIntents.${name}`,
            call,
            look: () =>
              Effect.map(retrieve(organizationId, intentId), (intent) =>
                hasHappened(intent.status) ? intent : undefined
              )
          })
          .pipe(Effect.flatMap(now))

      return PaymentIntents.of({
        find,

        open: ({ caseId, id, organizationId }, { currency, units }, { customerId, paymentMethodId }, operationId) => {
          const asked = {
            amount: units,
            currency: currency.toLowerCase(),
            capture_method: "manual",
            customer: customerId,
            payment_method: paymentMethodId,
            automatic_payment_methods: { enabled: true, allow_redirects: "never" },
            metadata: { organizationId, caseId, paymentId: id }
          } as const
          // Another method may be saved by when the operation is tried again.
          const operation = `${operationId}-open-${digestOf(organizationId, asked)}`
          const metadata = { ...asked.metadata, operationId: operation }
          return calls
            .make({
              organizationId,
              operation,
              name: "paymentIntents.create",
              call: ({ paymentIntents }, key) => paymentIntents.create({ ...asked, metadata }, key),
              look: ({ since }) =>
                findMade(stripe, organizationId, "paymentIntents.list", operation, ({ paymentIntents }) =>
                  paymentIntents.list({ customer: customerId, created: { gte: since }, limit: 100 })
                )
            })
            .pipe(
              Effect.map((intent) => intent.id),
              Effect.catchTag("StripeFailed", dieUnavailable)
            )
        },

        confirm: (asked) =>
          step(
            asked,
            "confirm",
            (status) => status !== "requires_confirmation",
            ({ paymentIntents }, key) =>
              paymentIntents.confirm(asked.intentId, { off_session: true, expand: ["latest_charge"] }, key)
          ).pipe(Effect.catchTag("StripeFailed", dieUnavailable)),

        capture: (asked, units) =>
          step(
            asked,
            "capture",
            (status) => status === "succeeded",
            ({ paymentIntents }, key) => paymentIntents.capture(asked.intentId, { amount_to_capture: units }, key)
          ),

        cancel: (asked) =>
          step(
            asked,
            "cancel",
            (status) => status === "canceled",
            ({ paymentIntents }, key) => paymentIntents.cancel(asked.intentId, {}, key)
          ),

        refund: Effect.fnUntraced(function* ({ intentId, operationId, organizationId, paymentId }, units) {
          const { id } = yield* calls.make({
            organizationId,
            operation: `${operationId}-refund`,
            name: "refunds.create",
            call: ({ refunds }, key) =>
              refunds.create(
                { payment_intent: intentId, amount: units, metadata: { organizationId, paymentId, operationId } },
                key
              ),
            look: ({ since }) =>
              findMade(stripe, organizationId, "refunds.list", operationId, ({ refunds }) =>
                refunds.list({ payment_intent: intentId, created: { gte: since }, limit: 100 })
              )
          })
          // What is answered again is as it was when it was made: it may have failed since.
          const refund = yield* stripe.ask(organizationId, "refunds.retrieve", ({ refunds }) => refunds.retrieve(id))
          const { update, status } = yield* find(organizationId, intentId)
          const now = { status, update: withState(update, stateOfRefund(refund)) }
          return isFailedRefund(refund) ? yield* new RefundFailed({ update: now.update }) : now
        })
      })
    })
  )
}
