import type { OrganizationId, PaymentId } from "@care/domain/ids"
import { type PaymentNotFound, type PaymentOperation, PaymentOperationPending } from "@care/domain/payments"
import { inTransaction, Time } from "@care/service-kit"
import { Context, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { IntentUpdate } from "../../stripe/index.ts"
import { Payments } from "../Payments.ts"
import type { PaymentRow } from "../PaymentsRepo.ts"
import { OperationSettling } from "./OperationSettling.ts"

/** An operation of a payment. Its id is a part of the idempotency keys at the gateway. */
export interface OperationKey {
  readonly organizationId: OrganizationId
  readonly paymentId: PaymentId
  readonly operationId: string
}

/** A payment with the changes by which an operation begins, and the operation's id. */
export interface PreparedOperation {
  readonly payment: PaymentRow
  readonly operationId: string
}

/**
 * The age from which a pending operation may be repeated. The first request has usually ended by then; if not, the gateway refuses a
 * parallel call.
 */
const repeatableAfterMillis = 2000

/** The delay of the job that settles an operation. Its longest call has ended by then: two attempts, and the delays of a busy process. */
const settlingDelay = "75 seconds"

const pendingOf = (operation: PaymentOperation) => new PaymentOperationPending({ operation })

const noOperation = { operation: null, operationId: null, operationAmount: null, operationSince: null } as const

/** The operations at the gateway that are not settled. Each is stored before its call, so that none is lost. A payment has one at a time. */
export class PendingOperations extends Context.Service<
  PendingOperations,
  {
    /**
     * Begins an operation of a payment that has none, inside the caller's transaction if there is one, with the job that settles it.
     * `prepare` checks the locked payment, and returns its changes and the operation's id. A repetition with the same amount returns the
     * pending operation, if that is older than 2 seconds.
     */
    readonly begin: <E>(
      key: Omit<OperationKey, "operationId">,
      name: PaymentOperation,
      prepare: (before: PaymentRow) => Effect.Effect<PreparedOperation, E>
    ) => Effect.Effect<PreparedOperation, E | PaymentNotFound | PaymentOperationPending>
    /** Replaces an operation, if it is still the payment's, by an ABANDON operation, which a job performs immediately. */
    readonly abandon: (key: OperationKey, operationId: string) => Effect.Effect<void>
    /** Changes the payment of an operation, if it is still the payment's, and returns the payment. */
    readonly changeDuring: (key: OperationKey, change: (payment: PaymentRow) => PaymentRow) => Effect.Effect<PaymentRow>
    /**
     * Ends an operation: applies the gateway's update, and if the operation is still the payment's, removes it and changes the payment by
     * `change`. If `change` returns undefined, both stay. All in one transaction, inside the caller's if there is one.
     */
    readonly settle: (
      key: OperationKey,
      update: IntentUpdate | undefined,
      change?: (payment: PaymentRow) => PaymentRow | undefined
    ) => Effect.Effect<PaymentRow>
  }
>()("@care/payments/operations/PendingOperations") {
  static readonly layer = Layer.effect(
    PendingOperations,
    Effect.gen(function* () {
      const payments = yield* Payments
      const settling = yield* OperationSettling
      const sql = yield* SqlClient.SqlClient

      const changeDuring = (
        { operationId, organizationId, paymentId }: OperationKey,
        change: (payment: PaymentRow) => PaymentRow
      ) =>
        Effect.orDie(
          payments.change(organizationId, paymentId, (before) =>
            Effect.succeed(before.operationId === operationId ? change(before) : before)
          )
        )

      const begin = Effect.fnUntraced(function* <E>(
        { organizationId, paymentId }: Omit<OperationKey, "operationId">,
        operation: PaymentOperation,
        prepare: (before: PaymentRow) => Effect.Effect<PreparedOperation, E>
      ): Effect.fn.Return<PreparedOperation, E | PaymentNotFound | PaymentOperationPending> {
        const now = yield* Time.nowAsDate
        const isRepeated = ({ operation: name, operationSince }: PaymentRow) =>
          name === operation &&
          operationSince !== null &&
          now.getTime() - operationSince.getTime() > repeatableAfterMillis
        const beginOn = Effect.fnUntraced(function* (
          before: PaymentRow
        ): Effect.fn.Return<PaymentRow, E | PaymentOperationPending> {
          if (before.operation !== null && !isRepeated(before)) return yield* pendingOf(before.operation)
          const { operationId, payment } = yield* prepare(before)
          if (before.operation === null) return { ...payment, operation, operationId, operationSince: now }
          return payment.operationAmount === before.operationAmount ? before : yield* pendingOf(before.operation)
        })
        const payment = yield* payments.change(organizationId, paymentId, beginOn)
        const operationId = payment.operationId ?? ""
        yield* settling.offer({ organizationId, paymentId, operationId }, { delay: settlingDelay })
        return { payment, operationId }
      })

      return PendingOperations.of({
        begin: (key, name, prepare) => inTransaction(sql)(begin(key, name, prepare)),

        abandon: Effect.fn("PendingOperations.abandon")(function* (key, operationId) {
          const payment = yield* changeDuring(key, (before) => ({ ...before, operation: "ABANDON", operationId }))
          if (payment.operationId !== operationId) return
          const { organizationId, paymentId } = key
          yield* settling.offer({ organizationId, paymentId, operationId }, { delay: Duration.zero })
        }, inTransaction(sql)),

        changeDuring: Effect.fn("PendingOperations.changeDuring")(changeDuring),

        settle: Effect.fn("PendingOperations.settle")(function* (key, update, change = (payment) => payment) {
          if (update !== undefined) yield* payments.observe(update)
          return yield* changeDuring(key, (before) => {
            const after = change(before)
            return after === undefined ? before : { ...after, ...noOperation }
          })
        }, inTransaction(sql))
      })
    })
  ).pipe(Layer.provide([OperationSettling.layer, Payments.layer]))
}
