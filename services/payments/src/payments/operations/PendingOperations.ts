import type { OrganizationId, PaymentId } from "@care/domain/ids"
import { type PaymentNotFound, type PaymentOperation, PaymentOperationPending } from "@care/domain/payments"
import { inTransaction } from "@care/service-kit"
import { Context, DateTime, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { IntentUpdate } from "../../stripe/index.ts"
import { Payments } from "../Payments.ts"
import type { PaymentRow } from "../PaymentsRepo.ts"
import { OperationSettling } from "./OperationSettling.ts"

/** One operation of a payment. Its id is what its calls of the gateway are known by. */
export interface OperationKey {
  readonly organizationId: OrganizationId
  readonly paymentId: PaymentId
  readonly operationId: string
}

/** A payment that an operation is begun of, and the operation's id. */
export interface Prepared {
  readonly payment: PaymentRow
  readonly operationId: string
}

/**
 * After that long the same operation may be asked for again while nobody knows what became of it: whoever asked first has mostly
 * been answered by then, and if not, the gateway says that the call is under way.
 */
const repeatedAfterMillis = 2000

/** After that long no call of an operation is under way any more: two tries, and what a busy process adds. */
const settledAfter = "75 seconds"

const pendingOf = (operation: PaymentOperation) => new PaymentOperationPending({ operation })

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
     * settles it. `prepare` checks the payment as it is then, and says how it is changed, and the operation's id. The same
     * operation again, of the same amount, is the one that is under way, once that was for 2 seconds.
     */
    readonly begin: <E>(
      key: Omit<OperationKey, "operationId">,
      name: PaymentOperation,
      prepare: (before: PaymentRow) => Effect.Effect<Prepared, E>
    ) => Effect.Effect<Prepared, E | PaymentNotFound | PaymentOperationPending>
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
      update: IntentUpdate | undefined,
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
        { organizationId, paymentId }: Omit<OperationKey, "operationId">,
        operation: PaymentOperation,
        prepare: (before: PaymentRow) => Effect.Effect<Prepared, E>
      ): Effect.fn.Return<Prepared, E | PaymentNotFound | PaymentOperationPending> {
        const now = yield* DateTime.nowAsDate
        const isRepeated = ({ operation: name, operationSince }: PaymentRow) =>
          name === operation &&
          operationSince !== null &&
          now.getTime() - operationSince.getTime() > repeatedAfterMillis
        const begun = Effect.fnUntraced(function* (
          before: PaymentRow
        ): Effect.fn.Return<PaymentRow, E | PaymentOperationPending> {
          if (before.operation !== null && !isRepeated(before)) return yield* pendingOf(before.operation)
          const { operationId, payment } = yield* prepare(before)
          if (before.operation === null) return { ...payment, operation, operationId, operationSince: now }
          return payment.operationAmount === before.operationAmount ? before : yield* pendingOf(before.operation)
        })
        const payment = yield* payments.change(organizationId, paymentId, begun)
        const operationId = payment.operationId ?? ""
        yield* settling.offer({ organizationId, paymentId, operationId }, { delay: settledAfter })
        return { payment, operationId }
      })

      return PendingOperations.of({
        begin: (key, name, prepare) => inTransaction(sql)(begin(key, name, prepare)),

        abandon: Effect.fn("PendingOperations.abandon")(function* (key, operationId) {
          const payment = yield* during(key, (before) => ({ ...before, operation: "ABANDON", operationId }))
          if (payment.operationId !== operationId) return
          const { organizationId, paymentId } = key
          yield* settling.offer({ organizationId, paymentId, operationId }, { delay: Duration.zero })
        }, inTransaction(sql)),

        during: Effect.fn("PendingOperations.during")(during),

        settle: Effect.fn("PendingOperations.settle")(function* (key, update, ended = (payment) => payment) {
          if (update !== undefined) yield* payments.observe(update)
          return yield* during(key, (before) => {
            const after = ended(before)
            return after === undefined ? before : { ...after, ...noOperation }
          })
        }, inTransaction(sql))
      })
    })
  ).pipe(Layer.provide([OperationSettling.layer, Payments.layer]))
}
