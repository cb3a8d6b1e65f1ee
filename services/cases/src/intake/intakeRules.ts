import { futureRefusal } from "@care/domain/auth"
import type { CreateCase, IntakeQuestion } from "@care/domain/cases"
import { dateOnlyRefusal, isDateOnly, isLanguage, languageRefusal, type Mistake } from "@care/domain/http"
import { Option, Schema } from "effect"
import { answerRequired, optionExpected } from "../forms/answerRules.ts"

const currencies = new Set(Intl.supportedValuesOf("currency"))
const decodeChoices = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Array(Schema.String)))

/** True for an amount of money that is kept without rounding. */
export const isExactAmount = (amount: number): boolean => /^\d{1,9}(\.\d{1,4})?$/.test(String(amount))

const answerProblem = ({ answer, options = [], required, type }: IntakeQuestion): string | undefined => {
  if (answer.trim() === "") return required === true ? answerRequired : undefined
  if (options.length === 0 || type === "TEXT") return undefined
  // A multiple choice comes as a JSON array of strings; a single one may come plain.
  const choices = type === "MULTISELECT" ? Option.getOrElse(decodeChoices(answer), () => [answer]) : [answer]
  const possible = new Set(options)
  return choices.every((choice) => possible.has(choice)) ? undefined : optionExpected
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

/**
 * What is well-formed in the body of a case creation but not acceptable, in the order of the body; empty when nothing is.
 * `today` is the day in UTC, as `YYYY-MM-DD`. The payment of an `ABANDONED` case is not looked at.
 */
export const intakeProblems = (body: CreateCase, today: string): ReadonlyArray<Mistake> => {
  const { payment, status, user } = body
  const problems: Array<Mistake> = []
  if (user.dob !== undefined) {
    if (!isDateOnly(user.dob)) problems.push({ path: "user.dob", reason: dateOnlyRefusal })
    else if (user.dob > today) problems.push({ path: "user.dob", reason: futureRefusal })
  }
  ;(user.languagePreferences ?? []).forEach((code, index) => {
    if (!isLanguage(code)) problems.push({ path: `user.languagePreferences.${index}`, reason: languageRefusal })
  })
  if (payment !== undefined && status !== "ABANDONED") {
    if (payment.amount !== undefined && payment.amount < 0) {
      problems.push({ path: "payment.amount", reason: "must not be negative" })
    } else if (payment.amount !== undefined && !isExactAmount(payment.amount)) {
      problems.push({ path: "payment.amount", reason: "must have at most 4 decimals and be below 1,000,000,000" })
    }
    if (payment.status !== undefined && payment.status !== "UNPAID") {
      problems.push({ path: "payment.status", reason: "must be UNPAID for a new case" })
    }
    if (payment.currency !== undefined && !currencies.has(payment.currency)) {
      problems.push({ path: "payment.currency", reason: "must be an ISO 4217 currency code" })
    }
  }
  return [...problems, ...questionProblems(body)]
}
