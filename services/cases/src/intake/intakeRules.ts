import { futureRefusal } from "@care/domain/auth"
import type { CreateCase, IntakeQuestion } from "@care/domain/cases"
import { dateOnlyRefusal, isDateOnly, isLanguage, languageRefusal, type Mistake } from "@care/domain/http"
import { amountProblem, currencyRefusal, isCurrency } from "@care/domain/payments"
import { answerRequired, isNoAnswer, optionExpected } from "./answers/answerRules.ts"
import { areChoices } from "./answers/areChoices.ts"

export const paymentStatusRefusal = "must be UNPAID, or PAID with a payment intent that has succeeded"

const answerProblem = ({ answer, options = [], required, type }: IntakeQuestion): string | undefined => {
  if (isNoAnswer(type, answer)) return required === true ? answerRequired : undefined
  if (options.length === 0 || type === "TEXT") return undefined
  const isRight = type === "MULTISELECT" ? areChoices(answer, options) : options.includes(answer)
  return isRight ? undefined : optionExpected
}

const questionProblems = (body: CreateCase): ReadonlyArray<Mistake> =>
  body.products.flatMap((product, productIndex) =>
    (product.form?.questions ?? []).flatMap((question, index) => {
      const problem = answerProblem(question)
      return problem === undefined
        ? []
        : [{ path: `products.${productIndex}.form.questions.${index}.answer`, reason: problem }]
    })
  )

const paymentProblems = ({ payment, products }: CreateCase): ReadonlyArray<Mistake> => {
  if (payment === undefined) {
    return products.flatMap((product, index) =>
      product.payment?.promoCode === undefined
        ? []
        : [
            {
              path: `products.${index}.payment.promoCode`,
              reason: "needs the payment of the case, whose amount it lowers"
            }
          ]
    )
  }
  const { amount, currency, providerReference, status } = payment
  const isKnown = currency !== undefined && isCurrency(currency)
  const problem = amount === undefined || !isKnown ? undefined : amountProblem(amount, currency)
  return [
    ...(problem === undefined ? [] : [{ path: "payment.amount", reason: problem }]),
    ...(status === undefined ||
    status === "UNPAID" ||
    (status === "PAID" && providerReference.type === "PAYMENT_INTENT")
      ? []
      : [{ path: "payment.status", reason: paymentStatusRefusal }]),
    ...(isKnown ? [] : [{ path: "payment.currency", reason: currencyRefusal }])
  ]
}

// A client secret must not be stored, and no event would name it.
const secretProblems = ({ payment }: CreateCase): ReadonlyArray<Mistake> =>
  payment?.providerReference.id.includes("_secret_")
    ? [{ path: "payment.providerReference.id", reason: "must be the id alone: what precedes _secret_" }]
    : []

/**
 * Returns the fields of a case creation that are well-formed but not acceptable, in the order of the body. `today` is the day in UTC, as
 * `YYYY-MM-DD`. Of the payment of an `ABANDONED` case, only a secret as reference is refused.
 */
export const intakeProblems = (body: CreateCase, today: string): ReadonlyArray<Mistake> => {
  const { status, user } = body
  const problems: Array<Mistake> = []
  if (user.dob !== undefined) {
    if (!isDateOnly(user.dob)) problems.push({ path: "user.dob", reason: dateOnlyRefusal })
    else if (user.dob > today) problems.push({ path: "user.dob", reason: futureRefusal })
  }
  ;(user.languagePreferences ?? []).forEach((code, index) => {
    if (!isLanguage(code)) problems.push({ path: `user.languagePreferences.${index}`, reason: languageRefusal })
  })
  if (status !== "ABANDONED") problems.push(...paymentProblems(body))
  return [...problems, ...secretProblems(body), ...questionProblems(body)]
}
