import type { CreateDynamicCase, DynamicQuestion, NewForm } from "@care/domain/cases"
import { RequestInvalid } from "@care/domain/http"
import { Effect } from "effect"
import type { StoredForm } from "../catalogue/index.ts"
import type { SubmittedAnswer } from "./answers/checkAnswers.ts"
import { storedQuestion } from "./storedQuestion.ts"

export type DynamicAnswer = SubmittedAnswer & { readonly phi: boolean }

/** Returns the answers of a request that has its own questions. */
export const titleBasedAnswers = (questions: ReadonlyArray<DynamicQuestion>): ReadonlyArray<DynamicAnswer> =>
  questions.map(({ answer, question = "", type = "TEXT", ...settings }) =>
    storedQuestion({ ...settings, questionId: null, question, type, answer })
  )

/** Returns the form that is stored for a request with its own questions. */
export const titleBasedForm = (title: string, { formDescription, questions }: CreateDynamicCase): NewForm => ({
  title,
  description: formDescription,
  questions: questions.map(({ hint, options, phi, placeholder, question = "", required = false, type = "TEXT" }) => ({
    question,
    type,
    required,
    phi,
    hint,
    placeholder,
    options
  }))
})

/** Returns the answers to the answered and the required questions of a stored form, in its order. Fails for an unknown question. */
export const idBasedAnswers = Effect.fnUntraced(function* (
  form: StoredForm,
  questions: ReadonlyArray<DynamicQuestion>
) {
  const formQuestionIds = new Set(form.questions.map(({ id }) => id))
  const unknown = questions.findIndex(({ questionId }) => questionId === undefined || !formQuestionIds.has(questionId))
  if (unknown >= 0) {
    return yield* RequestInvalid.inPayload(`questions.${unknown}.questionId`, "is no question of the form")
  }
  const submitted = new Map(questions.map((question) => [question.questionId, question]))
  return form.questions
    .filter(({ id, required }) => required || submitted.has(id))
    .map(
      ({ id, ...question }): DynamicAnswer =>
        storedQuestion({ ...question, questionId: id, answer: submitted.get(id)?.answer })
    )
})
