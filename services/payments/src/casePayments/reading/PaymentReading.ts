import { Audit } from "@care/audit"
import type { CaseForbidden, CaseNotFound } from "@care/domain/cases"
import type { PageQuery } from "@care/domain/http"
import type { CaseId, OrganizationId, PaymentId } from "@care/domain/ids"
import { type AdminPayment, PaymentNotFound, type PaymentOfCase } from "@care/domain/payments"
import { newest, type Page, pageBy } from "@care/service-kit"
import { Context, Effect, Layer, Struct } from "effect"
import { AdminPayments, CaseOwners } from "../../payments/index.ts"

type NotOwn = CaseNotFound | CaseForbidden

const toPaymentOfCase = ({ gateway, ...payment }: AdminPayment): PaymentOfCase => ({
  ...Struct.omit(payment, ["organizationId", "caseId", "userId", "operation"]),
  captureBefore: gateway?.captureBefore ?? null,
  refunded: gateway?.refunded ?? null
})

/** The payments of a case, as its partner reads them. */
export class PaymentReading extends Context.Service<
  PaymentReading,
  {
    /** Newest first. */
    readonly list: (
      organizationId: OrganizationId,
      caseId: CaseId,
      query: PageQuery
    ) => Effect.Effect<Page<PaymentOfCase>, NotOwn>
    readonly get: (
      organizationId: OrganizationId,
      caseId: CaseId,
      id: PaymentId
    ) => Effect.Effect<PaymentOfCase, NotOwn | PaymentNotFound>
  }
>()("@care/payments/reading/PaymentReading") {
  static readonly layer = Layer.effect(
    PaymentReading,
    Effect.gen(function* () {
      const audit = yield* Audit
      const owners = yield* CaseOwners
      const payments = yield* AdminPayments

      return PaymentReading.of({
        list: Effect.fn("PaymentReading.list")(function* (organizationId, caseId, { cursor = newest, limit }) {
          const userId = yield* owners.patientOf(organizationId, caseId)
          const found = yield* payments.newestOfCase(organizationId, caseId, cursor, limit + 1)
          yield* audit.read({ organizationId, action: "PAYMENTS_READ", caseId, userId })
          const { data, nextCursor } = pageBy(found, limit, ({ createdAt, paymentId: id }) => ({ createdAt, id }))
          return { data: data.map(toPaymentOfCase), nextCursor }
        }),

        get: Effect.fn("PaymentReading.get")(function* (organizationId, caseId, paymentId) {
          const userId = yield* owners.patientOf(organizationId, caseId)
          const found = yield* payments.findAll(organizationId, [paymentId])
          const payment = found.find((each) => each.caseId === caseId)
          if (payment === undefined) return yield* new PaymentNotFound({ paymentId })
          yield* audit.read({ organizationId, action: "PAYMENTS_READ", caseId, userId })
          return toPaymentOfCase(payment)
        })
      })
    })
  )
}
