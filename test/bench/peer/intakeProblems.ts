import { isLanguage } from "./formats.ts"
import type { NewCaseBody, Question } from "./NewCaseBody.ts"

const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true

const choicesOf = ({ answer, type }: Question): ReadonlyArray<unknown> => {
  if (type !== "MULTISELECT") return [answer]
  try {
    const choices: unknown = JSON.parse(answer)
    return Array.isArray(choices) ? choices : [answer]
  } catch {
    return [answer]
  }
}

const answerProblem = (question: Question): string | undefined => {
  if (question.answer.trim() === "") return question.required === true ? "Required" : undefined
  const options = question.options ?? []
  if (options.length === 0 || question.type === "TEXT") return undefined
  return choicesOf(question).every((choice) => options.some((option) => option === choice))
    ? undefined
    : "must be one of the options"
}

/** Returns the unacceptable fields in a well-formed body of case creation: `<path>, <reason>`. */
export const intakeProblems = ({ products, user }: NewCaseBody): ReadonlyArray<string> => {
  const problems: Array<string> = []
  if (!isDay(user.dob)) problems.push("user.dob, must be a date")
  else if (user.dob > new Date().toISOString().slice(0, 10)) problems.push("user.dob, must not be in the future")
  for (const [index, language] of (user.languagePreferences ?? []).entries()) {
    if (!isLanguage(language)) problems.push(`user.languagePreferences.${index}, must be an ISO language code`)
  }
  for (const [index, { form, payment }] of products.entries()) {
    if ((payment?.promoCode ?? "").trim() !== "") {
      problems.push(`products.${index}.payment.promoCode, needs the payment of the case, whose amount it lowers`)
    }
    for (const [place, question] of (form?.questions ?? []).entries()) {
      const problem = answerProblem(question)
      if (problem !== undefined) problems.push(`products.${index}.form.questions.${place}.answer, ${problem}`)
    }
  }
  return problems
}
