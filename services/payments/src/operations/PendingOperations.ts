import type { OrganizationId, PaymentId } from "@care/domain/ids"
import { type PaymentNotFound, type PaymentOperation, PaymentOperationPending } from "@care/domain/payments"
import { inTransaction } from "@care/service-kit"
import { Context, DateTime, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type IntentNews, Payments } from "../payments/Payments.ts"
import type { PaymentRow } from "../payments/PaymentsRepo.ts"
import { OperationSettling } from "./OperationSettling.ts"

/** One operation of a payment. Its id is what its calls of the gateway are known by. */
export interface OperationKey {
  readonly organizationId: OrganizationId
  readonly paymentId: PaymentId
  readonly operationId: string
}

/** After that long no call of an operation is under way any more: two tries, and what a busy process adds. */
const settledAfter = "75 seconds"

const noOperation = { operation: null, operationId: null, operationAmount: null, operationSince: null } as const

/**
 * What the gateway was asked to do with payments, and of which nobody knows what became: written down before it is asked, so
 * that whatever breaks off is found out. A payment has one at a time.
 */
export class PendingOperations extends Context.Service<
  PendingOperations,
  {
    /**
     * Begins an operation of a payment that has none, inside the caller's transaction if there is one, with the job that
     * settles it. `prepare` checks the payment as it is then, and may change it.
     */
    readonly begin: <E>(
      key: OperationKey,
      name: PaymentOperation,
      prepare: (before: PaymentRow) => Effect.Effect<PaymentRow, E>
    ) => Effect.Effect<PaymentRow, E | PaymentNotFound | PaymentOperationPending>
    /** Replaces an operation, if it is still the payment's, by one that calls it off, which a job does at once. */
    readonly abandon: (key: OperationKey, operationId: string) => Effect.Effect<void>
    /** Changes the payment of an operation, if it is still the payment's: the payment as it is then. */
    readonly during: (key: OperationKey, change: (payment: PaymentRow) => PaymentRow) => Effect.Effect<PaymentRow>
    /**
     * Ends an operation: what the gateway said is taken in, whoever asked, and if the operation is still the payment's it is
     * over, and the payment is what `ended` says; or both stay as they are, if that says nothing. All in one transaction,
     * inside the caller's if there is one.
     */
    readonly settle: (
      key: OperationKey,
      news: IntentNews | undefined,
      ended?: (payment: PaymentRow) => PaymentRow | undefined
    ) => Effect.Effect<PaymentRow>
  }
>()("@care/payments/operations/PendingOperations") {
  static readonly layer = Layer.effect(
    PendingOperations,
    Effect.gen(function* () {
      const payments = yield* Payments
      const settling = yield* OperationSettling
      const sql = yield* SqlClient.SqlClient

      const during = (
        { operationId, organizationId, paymentId }: OperationKey,
        change: (p: PaymentRow) => PaymentRow
      ) =>
        Effect.orDie(
          payments.change(organizationId, paymentId, (before) =>
            Effect.succeed(before.operationId === operationId ? change(before) : before)
          )
        )

      const begin = Effect.fnUntraced(function* <E>(
        { operationId, organizationId, paymentId }: OperationKey,
        operation: PaymentOperation,
        prepare: (before: PaymentRow) => Effect.Effect<PaymentRow, E>
      ): Effect.fn.Return<PaymentRow, E | PaymentNotFound | PaymentOperationPending> {
        const operationSince = yield* DateTime.nowAsDate
        const begun = (before: PaymentRow): Effect.Effect<PaymentRow, E | PaymentOperationPending> =>
          before.operation === null
            ? Effect.map(prepare(before), (after) => ({ ...after, operation, operationId, operationSince }))
            : Effect.fail(new PaymentOperationPending({ operation: before.operation }))
        const payment = yield* payments.change(organizationId, paymentId, begun)
        yield* settling.offer({ organizationId, paymentId, operationId }, { delay: settledAfter })
        return payment
      })

      return PendingOperations.of({
        begin: (key, name, prepare) => inTransaction(sql)(begin(key, name, prepare)),

        abandon: Effect.fn("PendingOperations.abandon")(
          function* (key, operationId) {
            const payment = yield* during(key, (before) => ({ ...before, operation: "ABANDON", operationId }))
            if (payment.operationId !== operationId) return
            const { organizationId, paymentId } = key
            yield* settling.offer({ organizationId, paymentId, operationId }, { delay: Duration.zero })
          },
          (abandoned) => inTransaction(sql)(abandoned)
        ),

        during: Effect.fn("PendingOperations.during")(during),

        settle: Effect.fn("PendingOperations.settle")(
          function* (key, news, ended = (payment) => payment) {
            if (news !== undefined) yield* payments.observe(news)
            return yield* during(key, (before) => {
              const after = ended(before)
              return after === undefined ? before : { ...after, ...noOperation }
            })
          },
          (settled) => inTransaction(sql)(settled)
        )
      })
    })
  ).pipe(Layer.provide([OperationSettling.layer, Payments.layer]))
}
