import { layerAuditedDatabase } from "@care/audit/testing"
import { layerIdleJobs } from "@care/jobs/testing"
import { layerTestCipher } from "@care/phi/testing"
import { Effect, Layer } from "effect"
import { Authorizations } from "../src/casePayments/newPayments/Authorizations.ts"
import { SavedMethods } from "../src/customers/savedMethods/SavedMethods.ts"
import { AdminPayments } from "../src/payments/operations/AdminPayments.ts"
import { makeSettleOperation } from "../src/payments/operations/makeSettleOperation.ts"
import { Operations } from "../src/payments/operations/Operations.ts"
import { PendingOperations } from "../src/payments/operations/PendingOperations.ts"
import { Payments } from "../src/payments/Payments.ts"
import { PaymentIntents } from "../src/stripe/PaymentIntents.ts"
import type { authorizedPayment } from "./authorizedPayment.ts"
import { layerTestStripe } from "./testStripe.ts"

/** The operator's operations on payments, with the stand-in for Stripe. */
export const layerOperations = Layer.mergeAll(
  AdminPayments.layer,
  Authorizations.layer,
  Operations.layer,
  PendingOperations.layer,
  Payments.layer
).pipe(
  Layer.provideMerge(PaymentIntents.layer),
  Layer.provideMerge([SavedMethods.layer, layerTestStripe]),
  Layer.provideMerge(layerIdleJobs),
  Layer.provideMerge([layerAuditedDatabase("payments"), layerTestCipher])
)

type AuthorizedPayment = Effect.Success<ReturnType<typeof authorizedPayment>>

/** The payment as an operator sees it. */
export const shown = ({ id }: AuthorizedPayment) => Effect.flatMap(AdminPayments, (payments) => payments.get(id))

export const capture = ({ id }: AuthorizedPayment, amount?: number) =>
  Effect.flatMap(Operations, (operations) => operations.capture(id, amount === undefined ? {} : { amount }))

export const refund = ({ id }: AuthorizedPayment, amount?: number, refunded?: number) =>
  Effect.flatMap(Operations, (operations) => operations.refund(id, { amount, refunded }))

export const release = ({ id }: AuthorizedPayment) => Effect.flatMap(Operations, (operations) => operations.release(id))

/** The stored payment. */
export const row = ({ id, organizationId }: AuthorizedPayment) =>
  Effect.flatMap(Payments, (payments) => Effect.flatMap(payments.find(organizationId, id), Effect.fromOption))

/** Runs the due jobs. */
export const settle = Effect.fnUntraced(function* (payment: AuthorizedPayment) {
  const { operationId } = yield* row(payment)
  const { id: paymentId, organizationId } = payment
  if (operationId !== null) yield* (yield* makeSettleOperation)({ organizationId, paymentId, operationId })
})
