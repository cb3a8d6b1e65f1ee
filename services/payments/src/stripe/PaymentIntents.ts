import type { CaseId, OrganizationId, PaymentId } from "@care/domain/ids"
import { Clock, Context, Data, Effect, Layer } from "effect"
import type StripeClient from "stripe"
import { findByOperationId } from "./findByOperationId.ts"
import type { IntentUpdate } from "./IntentState.ts"
import { isFailedRefund, stateOfChargedIntent, stateOfRefund, withState } from "./intentStateOf.ts"
import { makeDigestOf } from "./makeDigestOf.ts"
import { dieUnavailable, Stripe, type StripeFailed, type StripeRefused } from "./Stripe.ts"
import { type StripeCall, StripeCalls } from "./StripeCalls.ts"

/** The current state of a payment intent at the gateway. */
export interface CurrentIntent {
  readonly status: StripeClient.PaymentIntent.Status
  readonly update: IntentUpdate
}

/** The operation's refund failed: the patient's bank returned the money. The operation refunds nothing, and never will. */
export class RefundFailed extends Data.TaggedError("RefundFailed")<{ readonly update: IntentUpdate }> {}

/** An intent, and the id of the operation that changes it. */
interface IntentOperation {
  readonly organizationId: OrganizationId
  readonly intentId: string
  readonly operationId: string
}

type IntentResult = Effect.Effect<CurrentIntent, StripeRefused>
/** `StripeFailed`: the gateway failed in all attempts, and nothing happened. */
type ChangeResult = Effect.Effect<CurrentIntent, StripeRefused | StripeFailed>

/** The payment intents at the gateway and their changes. Each operation makes a change once, however often it is repeated. */
export class PaymentIntents extends Context.Service<
  PaymentIntents,
  {
    readonly find: (organizationId: OrganizationId | undefined, intentId: string) => IntentResult
    /**
     * Creates an intent, which authorizes nothing before it is confirmed, and returns its id. Another price or method leads to another
     * intent. `units` are minor units.
     */
    readonly open: (
      payment: { readonly organizationId: OrganizationId; readonly caseId: CaseId; readonly id: PaymentId },
      price: { readonly units: number; readonly currency: string },
      method: { readonly customerId: string; readonly paymentMethodId: string },
      operationId: string
    ) => Effect.Effect<string, StripeRefused>
    /** Authorizes the amount of an intent without the patient's presence. The bank may refuse it. */
    readonly confirm: (operation: IntentOperation) => IntentResult
    readonly capture: (operation: IntentOperation, units: number) => ChangeResult
    readonly cancel: (operation: IntentOperation) => ChangeResult
    readonly refund: (
      operation: IntentOperation & { readonly paymentId: PaymentId },
      units: number
    ) => Effect.Effect<CurrentIntent, StripeRefused | StripeFailed | RefundFailed>
  }
>()("@care/payments/stripe/PaymentIntents") {
  static readonly layer = Layer.effect(
    PaymentIntents,
    Effect.gen(function* () {
      const calls = yield* StripeCalls
      const digestOf = yield* makeDigestOf
      const stripe = yield* Stripe

      const currentOf = Effect.fnUntraced(function* (intent: StripeClient.PaymentIntent) {
        const update = stateOfChargedIntent(intent, Math.floor((yield* Clock.currentTimeMillis) / 1000))
        return { status: intent.status, update }
      })

      const retrieve = (organizationId: OrganizationId | undefined, intentId: string) =>
        stripe.ask(organizationId, "paymentIntents.retrieve", ({ paymentIntents }) =>
          paymentIntents.retrieve(intentId, { expand: ["latest_charge"] })
        )

      const find = (organizationId: OrganizationId | undefined, intentId: string) =>
        Effect.flatMap(retrieve(organizationId, intentId), currentOf)

      // Makes a step of an operation. `hasHappened` tells by the intent's status whether an earlier attempt made it.
      const step = (
        { intentId, operationId, organizationId }: IntentOperation,
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
          .pipe(Effect.flatMap(currentOf))

      return PaymentIntents.of({
        find,

        open: Effect.fnUntraced(function* (
          { caseId, id, organizationId },
          { currency, units },
          { customerId, paymentMethodId },
          operationId
        ) {
          const params = {
            amount: units,
            currency: currency.toLowerCase(),
            capture_method: "manual",
            customer: customerId,
            payment_method: paymentMethodId,
            automatic_payment_methods: { enabled: true, allow_redirects: "never" },
            metadata: { organizationId, caseId, paymentId: id }
          } as const
          // The patient may have another method when the operation is repeated.
          const operation = `${operationId}-open-${yield* digestOf(organizationId, params)}`
          const metadata = { ...params.metadata, operationId: operation }
          return yield* calls
            .make({
              organizationId,
              operation,
              name: "paymentIntents.create",
              call: ({ paymentIntents }, key) => paymentIntents.create({ ...params, metadata }, key),
              look: ({ since }) =>
                findByOperationId(stripe, organizationId, "paymentIntents.list", operation, ({ paymentIntents }) =>
                  paymentIntents.list({ customer: customerId, created: { gte: since }, limit: 100 })
                )
            })
            .pipe(
              Effect.map((intent) => intent.id),
              Effect.catchTag("StripeFailed", dieUnavailable)
            )
        }),

        confirm: (operation) =>
          step(
            operation,
            "confirm",
            (status) => status !== "requires_confirmation",
            ({ paymentIntents }, key) =>
              paymentIntents.confirm(operation.intentId, { off_session: true, expand: ["latest_charge"] }, key)
          ).pipe(Effect.catchTag("StripeFailed", dieUnavailable)),

        capture: (operation, units) =>
          step(
            operation,
            "capture",
            (status) => status === "succeeded",
            ({ paymentIntents }, key) => paymentIntents.capture(operation.intentId, { amount_to_capture: units }, key)
          ),

        cancel: (operation) =>
          step(
            operation,
            "cancel",
            (status) => status === "canceled",
            ({ paymentIntents }, key) => paymentIntents.cancel(operation.intentId, {}, key)
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
              findByOperationId(stripe, organizationId, "refunds.list", operationId, ({ refunds }) =>
                refunds.list({ payment_intent: intentId, created: { gte: since }, limit: 100 })
              )
          })
          // A replayed response has the refund as it was created: it may have failed since.
          const refund = yield* stripe.ask(organizationId, "refunds.retrieve", ({ refunds }) => refunds.retrieve(id))
          const { update, status } = yield* find(organizationId, intentId)
          const refunded = withState(update, stateOfRefund(refund))
          return isFailedRefund(refund) ? yield* new RefundFailed({ update: refunded }) : { status, update: refunded }
        })
      })
    })
  )
}
