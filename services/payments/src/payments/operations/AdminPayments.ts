import { Audit } from "@care/audit"
import type { PagePosition } from "@care/domain/http"
import type { CaseId, OrganizationId, PaymentId } from "@care/domain/ids"
import {
  type AdminPayment,
  defaultCurrency,
  fromMinorUnits,
  PaymentNotFound,
  PaymentStatus,
  type PaymentsQuery
} from "@care/domain/payments"
import { newest, organizationScope, type Page, pageFrom } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import { stripeExponent } from "../../stripe/index.ts"
import { Payments } from "../Payments.ts"
import { refundedUnits } from "../paymentState.ts"
import { makeAdminPaymentsRepo, type PaymentWithIntent } from "./AdminPaymentsRepo.ts"

const number = (amount: string | null) => (amount === null ? null : Number(amount))

const timeOf = (seconds: number | null | undefined) =>
  seconds === null || seconds === undefined ? null : new Date(seconds * 1000)

const gatewayOf = ({ currency: own, state, gatewayAmount, gatewayCurrency, intentId }: PaymentWithIntent) => {
  if (intentId === null) return null
  const exponent = stripeExponent(gatewayCurrency ?? own ?? defaultCurrency)
  const major = (units: number) => Number(fromMinorUnits(units, exponent))
  return {
    intentId,
    amount: number(gatewayAmount),
    currency: gatewayCurrency,
    captureBefore: timeOf(state?.heldUntil),
    received: major(state?.received ?? 0),
    refunded: major(state === null ? 0 : refundedUnits(state))
  }
}

const toAdminPayment = (payment: PaymentWithIntent): AdminPayment => {
  const { operation, operationSince, providerReferenceId: id, providerReferenceType: type } = payment
  return {
    paymentId: payment.id,
    organizationId: payment.organizationId,
    caseId: payment.caseId,
    userId: payment.userId,
    status: payment.status,
    amount: number(payment.amount),
    grossAmount: number(payment.grossAmount),
    discount: number(payment.discount),
    currency: payment.currency,
    description: payment.description,
    productId: payment.productId,
    providerReference: type === null || id === null ? null : { type, id },
    gateway: gatewayOf(payment),
    isInitial: payment.isInitial,
    operation: operation === null || operationSince === null ? null : { name: operation, since: operationSince },
    createdAt: payment.createdAt,
    updatedAt: payment.updatedAt
  }
}

/** The payments of stored cases, for operators and other readers. */
export class AdminPayments extends Context.Service<
  AdminPayments,
  {
    readonly get: (id: PaymentId) => Effect.Effect<AdminPayment, PaymentNotFound>
    /** Returns those of the payments that are the organization's. The caller records the read. */
    readonly findAll: (
      organizationId: OrganizationId,
      ids: ReadonlyArray<PaymentId>
    ) => Effect.Effect<ReadonlyArray<AdminPayment>>
    /** Returns payments of a case, newest first. The caller records the read. */
    readonly newestOfCase: (
      organizationId: OrganizationId,
      caseId: CaseId,
      before: PagePosition,
      limit: number
    ) => Effect.Effect<ReadonlyArray<AdminPayment>>
    readonly countHeld: (organizationId: OrganizationId) => Effect.Effect<{ readonly count: number }>
    /** Newest first. */
    readonly list: (query: PaymentsQuery) => Effect.Effect<Page<AdminPayment>>
  }
>()("@care/payments/operations/AdminPayments") {
  static readonly layer = Layer.effect(
    AdminPayments,
    Effect.gen(function* () {
      const audit = yield* Audit
      const payments = yield* Payments

      const repo = yield* makeAdminPaymentsRepo

      return AdminPayments.of({
        get: Effect.fn("AdminPayments.get")(function* (id) {
          const found = yield* repo.find(yield* payments.ownerOf(id), id)
          const payment = yield* Effect.fromOption(found, () => new PaymentNotFound({ paymentId: id }))
          yield* audit.listed("PAYMENTS_READ", [payment])
          return toAdminPayment(payment)
        }),

        findAll: Effect.fn("AdminPayments.findAll")(function* (organizationId, ids) {
          return (yield* repo.findAll(organizationId, ids)).map(toAdminPayment)
        }),

        newestOfCase: Effect.fn("AdminPayments.newestOfCase")(function* (organizationId, caseId, before, limit) {
          const search = { caseId, organizationId, statuses: PaymentStatus.literals, before }
          return (yield* repo.newest(search, limit)).map(toAdminPayment)
        }),

        countHeld: Effect.fn("AdminPayments.countHeld")(repo.countHeld),

        list: Effect.fn("AdminPayments.list")(function* ({ caseId, cursor = newest, limit, organizationId, status }) {
          const statuses = status === undefined ? PaymentStatus.literals : [status]
          const scope = (yield* organizationScope) ?? organizationId
          const rows = yield* repo.newest({ caseId, organizationId: scope, statuses, before: cursor }, limit + 1)
          const { data, nextCursor } = pageFrom(rows, limit)
          yield* audit.listed("PAYMENTS_READ", data)
          return { data: data.map(toAdminPayment), nextCursor }
        })
      })
    })
  ).pipe(Layer.provide(Payments.layer))
}
