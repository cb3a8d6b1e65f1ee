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
import { askedDiscounts, hasPromoCodes } from "./askedDiscounts.ts"
import { paymentStatusRefusal } from "./intakeRules.ts"
import type { FollowUp } from "./NewCases.ts"

/** The payment of a case that is about to be stored, if it has one. */
interface IntakePayment {
  readonly payment: FollowUp["payment"]
  /** To be done just before the case is stored. Dies when it may not be stored any more. */
  readonly storing: Effect.Effect<void>
}

const none: IntakePayment = { payment: undefined, storing: Effect.void }

// What was told, as far as it is an amount: that of an abandoned checkout was not looked at.
const toldBy = ({ amount, currency, description, providerReference }: NonNullable<CreateCase["payment"]>) => {
  const isAmount = amount !== undefined && amountProblem(amount, currency ?? defaultCurrency) === undefined
  return {
    amount: isAmount ? toAmount(amount) : null,
    currency: currency ?? null,
    description: description ?? null,
    providerReference
  }
}

/** The payments with which cases are created. */
export class IntakePayments extends Context.Service<
  IntakePayments,
  {
    /**
     * Has the payment of a creation prepared, if it has one, until the scope ends. Nothing is looked at, and nobody asked,
     * for a checkout that was abandoned: what it refers to is kept as it was given.
     */
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
        const { discounts, problems } = askedDiscounts(body, yield* products.offers(organizationId, ids))
        const [problem, ...others] = problems
        return problem === undefined ? discounts : yield* new FieldUnacceptable({ ...problem, others })
      })

      return IntakePayments.of({
        prepare: Effect.fn("IntakePayments.prepare")(function* (organizationId, caseId, body) {
          if (body.payment === undefined) return none
          const told = toldBy(body.payment)
          if (body.status === "ABANDONED") return { ...none, payment: { ...told, discount: null } }
          const discounts = yield* discountsOf(organizationId, body)
          const mustBePaid = body.payment.status === "PAID"
          const { discount, storing } = yield* preparations
            .prepare({ organizationId, caseId, ...told, setupIntentId: null, mustBePaid, discounts })
            .pipe(
              Effect.catchTags({
                ReferenceRefused: ({ reason }) =>
                  new FieldUnacceptable({ path: "payment.providerReference.id", reason }),
                IntentUnpaid: () => new FieldUnacceptable({ path: "payment.status", reason: paymentStatusRefusal })
              })
            )
          return { payment: { ...told, discount }, storing }
        })
      })
    })
  ).pipe(Layer.provide([PaymentPreparations.layer, Products.layer]))
}
