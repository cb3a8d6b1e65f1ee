import { type CreateCase, FieldUnacceptable } from "@care/domain/cases"
import type { RateLimited } from "@care/domain/http"
import type { CaseId, OrganizationId } from "@care/domain/ids"
import {
  amountProblem,
  defaultCurrency,
  type IntentInUse,
  type PromoCodeNotFound,
  toAmount
} from "@care/domain/payments"
import { Context, Effect, Layer, type Scope } from "effect"
import { PaymentPreparations } from "../case/index.ts"
import { Products } from "../catalogue/index.ts"
import { paymentStatusRefusal } from "./intakeRules.ts"
import type { FollowUp } from "./NewCases.ts"
import { hasPromoCodes, requestedDiscounts } from "./requestedDiscounts.ts"

interface IntakePayment {
  readonly payment: FollowUp["payment"]
  /** Run it just before the case is stored. Dies when it is too late to store the case. */
  readonly beforeStore: Effect.Effect<void>
}

const noPayment: IntakePayment = { payment: undefined, beforeStore: Effect.void }

// The amount of an abandoned checkout is not validated, so it may be none.
const reportedPayment = ({ amount, currency, description, providerReference }: NonNullable<CreateCase["payment"]>) => {
  const isAmount = amount !== undefined && amountProblem(amount, currency ?? defaultCurrency) === undefined
  return {
    amount: isAmount ? toAmount(amount) : null,
    currency: currency ?? null,
    description: description ?? null,
    providerReference
  }
}

/** The payments of case creations. */
export class IntakePayments extends Context.Service<
  IntakePayments,
  {
    /** Prepares the payment of a creation, if it has one, until the scope ends. The payment of an abandoned checkout is not checked. */
    readonly prepare: (
      organizationId: OrganizationId,
      caseId: CaseId,
      body: CreateCase
    ) => Effect.Effect<IntakePayment, FieldUnacceptable | IntentInUse | PromoCodeNotFound | RateLimited, Scope.Scope>
  }
>()("@care/cases/intake/IntakePayments") {
  static readonly layer = Layer.effect(
    IntakePayments,
    Effect.gen(function* () {
      const preparations = yield* PaymentPreparations
      const products = yield* Products

      const discountsOf = Effect.fnUntraced(function* (organizationId: OrganizationId, body: CreateCase) {
        if (!hasPromoCodes(body)) return { whole: null, products: [] }
        const ids = body.products.map(({ id }) => id)
        const { discounts, problems } = requestedDiscounts(body, yield* products.offers(organizationId, ids))
        const [problem, ...others] = problems
        return problem === undefined ? discounts : yield* new FieldUnacceptable({ ...problem, others })
      })

      return IntakePayments.of({
        prepare: Effect.fn("IntakePayments.prepare")(function* (organizationId, caseId, body) {
          if (body.payment === undefined) return noPayment
          const reported = reportedPayment(body.payment)
          if (body.status === "ABANDONED") return { ...noPayment, payment: { ...reported, discount: null } }
          const discounts = yield* discountsOf(organizationId, body)
          const mustBePaid = body.payment.status === "PAID"
          const { discount, beforeStore } = yield* preparations
            .prepare({ organizationId, caseId, ...reported, setupIntentId: null, mustBePaid, discounts })
            .pipe(
              Effect.catchTags({
                ReferenceRefused: ({ reason }) =>
                  new FieldUnacceptable({ path: "payment.providerReference.id", reason }),
                IntentUnpaid: () => new FieldUnacceptable({ path: "payment.status", reason: paymentStatusRefusal })
              })
            )
          return { payment: { ...reported, discount }, beforeStore }
        })
      })
    })
  ).pipe(Layer.provide([PaymentPreparations.layer, Products.layer]))
}
