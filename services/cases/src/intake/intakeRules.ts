import { type CreateCase, FieldUnacceptable, type IntakeQuestion, isDateOnly, isLanguage } from "@care/domain"
import { Option, Schema } from "effect"

const currencies = new Set(Intl.supportedValuesOf("currency"))
const decodeChoices = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Array(Schema.String)))

/** True for an amount of money that is kept without rounding. */
export const isExactAmount = (amount: number): boolean => /^\d{1,9}(\.\d{1,4})?$/.test(String(amount))

const unacceptable = (path: string, reason: string) => new FieldUnacceptable({ path, reason })

const answerProblem = ({ answer, options = [], required, type }: IntakeQuestion): string | undefined => {
  if (answer.trim() === "") return required === true ? "Answer is required" : undefined
  if (options.length === 0 || type === "TEXT") return undefined
  // A multiple choice comes as a JSON array of strings; a single one may come plain.
  const choices = type === "MULTISELECT" ? Option.getOrElse(decodeChoices(answer), () => [answer]) : [answer]
  return choices.every((choice) => options.includes(choice)) ? undefined : "must be one of the options"
}

const questionProblems = (body: CreateCase): ReadonlyArray<FieldUnacceptable> =>
  body.products.flatMap((product, productIndex) =>
    (product.form?.questions ?? []).flatMap((question, index) => {
      const problem = answerProblem(question)
      return problem === undefined
        ? []
        : [unacceptable(`products.${productIndex}.form.questions.${index}.answer`, problem)]
    })
  )

/**
 * What is well-formed in the body of a case creation but not acceptable, in the order of the body; empty when nothing is.
 * `today` is the day in UTC, as `YYYY-MM-DD`. The payment of an `ABANDONED` case is not looked at.
 */
export const intakeProblems = (body: CreateCase, today: string): ReadonlyArray<FieldUnacceptable> => {
  const { payment, status, user } = body
  const problems: Array<FieldUnacceptable> = []
  if (user.dob !== undefined) {
    if (!isDateOnly(user.dob)) problems.push(unacceptable("user.dob", "must be a date in the form YYYY-MM-DD"))
    else if (user.dob > today) problems.push(unacceptable("user.dob", "must not be in the future"))
  }
  ;(user.languagePreferences ?? []).forEach((code, index) => {
    if (!isLanguage(code))
      problems.push(unacceptable(`user.languagePreferences.${index}`, "must be an ISO language code"))
  })
  if (payment !== undefined && status !== "ABANDONED") {
    if (payment.amount !== undefined && payment.amount < 0) {
      problems.push(unacceptable("payment.amount", "must not be negative"))
    }
    if (payment.amount !== undefined && !isExactAmount(payment.amount)) {
      problems.push(unacceptable("payment.amount", "must have at most 4 decimals and be below 1,000,000,000"))
    }
    if (payment.status !== undefined && payment.status !== "UNPAID") {
      problems.push(unacceptable("payment.status", "must be UNPAID for a new case"))
    }
    if (payment.currency !== undefined && !currencies.has(payment.currency.toUpperCase())) {
      problems.push(unacceptable("payment.currency", "must be an ISO 4217 currency code"))
    }
  }
  return [...problems, ...questionProblems(body)]
}
