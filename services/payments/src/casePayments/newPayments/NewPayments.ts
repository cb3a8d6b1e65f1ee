import type { CaseForbidden, CaseNotFound } from "@care/domain/cases"
import { type IdempotencyConflict, RequestInvalid } from "@care/domain/http"
import { type CaseId, type OrganizationId, PaymentId } from "@care/domain/ids"
import {
  amountProblem,
  type CreatedPayment,
  type CreatePayment,
  type PaymentDeclined,
  type PaymentMethodMissing,
  PaymentStatus,
  toAmount
} from "@care/domain/payments"
import { Once, onceOperation } from "@care/once"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { CaseOwners, type PaymentRow, Payments, ProductLookup } from "../../payments/index.ts"
import { Authorizations, type PricedPayment } from "./Authorizations.ts"

type Refusal =
  | RequestInvalid
  | CaseNotFound
  | CaseForbidden
  | PaymentMethodMissing
  | PaymentDeclined
  | IdempotencyConflict

const createCasePayment = onceOperation({
  name: "createCasePayment",
  version: 1,
  ids: { paymentId: PaymentId, operationId: Schema.String },
  lastingIds: ["paymentId", "operationId"],
  answer: Schema.Struct({
    paymentId: PaymentId,
    status: PaymentStatus,
    amount: Schema.Finite,
    description: Schema.NullOr(Schema.String),
    createdAt: Schema.Date
  })
})

const toCreatedPayment = ({ amount, createdAt, description, id, status }: PaymentRow): CreatedPayment => ({
  paymentId: id,
  status,
  amount: Number(amount),
  description,
  createdAt
})

/** The further payments of a case. */
export class NewPayments extends Context.Service<
  NewPayments,
  {
    /**
     * Creates a payment of a case, and authorizes its amount if requested. A used idempotency key returns its payment.
     * `headerKey` is the Idempotency-Key header; the body's own key wins.
     */
    readonly create: (
      organizationId: OrganizationId,
      caseId: CaseId,
      body: CreatePayment,
      headerKey: string | undefined
    ) => Effect.Effect<CreatedPayment, Refusal>
  }
>()("@care/payments/newPayments/NewPayments") {
  static readonly layer = Layer.effect(
    NewPayments,
    Effect.gen(function* () {
      const authorizations = yield* Authorizations
      const once = yield* Once
      const owners = yield* CaseOwners
      const payments = yield* Payments
      const products = yield* ProductLookup

      const check = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        { amount, productId }: CreatePayment,
        currency: string
      ) {
        const problem = amountProblem(amount, currency)
        if (problem !== undefined) return yield* RequestInvalid.inPayload("amount", problem)
        if (productId !== undefined && !(yield* products.isOf(organizationId, productId))) {
          return yield* RequestInvalid.inPayload("productId", "is no product of the organization")
        }
      })

      const newPayment = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        caseId: CaseId,
        body: CreatePayment,
        id: PaymentId
      ) {
        const userId = yield* owners.patientOf(organizationId, caseId)
        const currency = yield* payments.currencyOf(organizationId, caseId)
        // A payment that exists may already be authorized in its own currency: refusing it would free the key, and a
        // repetition would authorize it twice.
        if (Option.isNone(yield* payments.find(organizationId, id))) yield* check(organizationId, body, currency)
        const { description, productId } = body
        const amount = toAmount(body.amount)
        const payment: PricedPayment = {
          organizationId,
          id,
          caseId,
          userId,
          productId: productId ?? null,
          isInitial: false,
          isPrepared: false,
          status: "UNPAID",
          currency,
          grossAmount: amount,
          discount: null,
          amount,
          description,
          providerReferenceType: null,
          providerReferenceId: null,
          intentId: null
        }
        return payment
      })

      return NewPayments.of({
        create: Effect.fn("NewPayments.create")(function* (organizationId, caseId, body, headerKey) {
          const { idempotencyKey: key = headerKey, ...request } = body
          return yield* once.run(
            createCasePayment,
            { organizationId, key, body: { caseId, ...request } },
            Effect.fnUntraced(function* ({ operationId, paymentId }) {
              const payment = yield* newPayment(organizationId, caseId, body, paymentId)
              const stored = body.preauthorize
                ? yield* authorizations.authorize(payment, operationId)
                : Effect.orDie(payments.add(payment))
              return Effect.map(stored, toCreatedPayment)
            }),
            { isUsed: ({ paymentId }) => Effect.map(payments.find(organizationId, paymentId), Option.isSome) }
          )
        })
      })
    })
  ).pipe(Layer.provide([Authorizations.layer, Payments.layer]))
}
