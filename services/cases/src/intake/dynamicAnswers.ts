import type { CreateDynamicCase, DynamicQuestion, NewForm } from "@care/domain/cases"
import { RequestInvalid } from "@care/domain/http"
import { Effect } from "effect"
import type { StoredForm } from "../catalogue/index.ts"
import type { GivenAnswer } from "./answers/checkAnswers.ts"
import { storedQuestion } from "./storedQuestion.ts"

/** A given answer with what is stored of its question beside it. */
export type DynamicAnswer = GivenAnswer & { readonly phi: boolean }

/** The answers of a request that brings its own questions. */
export const titleBasedAnswers = (questions: ReadonlyArray<DynamicQuestion>): ReadonlyArray<DynamicAnswer> =>
  questions.map(({ answer, question = "", type = "TEXT", ...rest }) =>
    storedQuestion({ ...rest, questionId: null, question, type, answer })
  )

/** The form that a title-based request makes when there is none with its title. */
export const titleBasedForm = (title: string, { formDescription, questions }: CreateDynamicCase): NewForm => ({
  title,
  description: formDescription,
  questions: questions.map(({ question = "", type = "TEXT", required = false, ...rest }) => ({
    question,
    type,
    required,
    phi: rest.phi,
    hint: rest.hint,
    placeholder: rest.placeholder,
    options: rest.options
  }))
})

/**
 * The answers of a request to the questions of a stored form, in the form's order: those that were answered, and those that
 * have to be. Fails for a question that the form does not have.
 */
export const idBasedAnswers = Effect.fnUntraced(function* (
  form: StoredForm,
  questions: ReadonlyArray<DynamicQuestion>
) {
  const own = new Set(form.questions.map(({ id }) => id))
  const unknown = questions.findIndex(({ questionId }) => questionId === undefined || !own.has(questionId))
  if (unknown >= 0) {
    return yield* RequestInvalid.inPayload(`questions.${unknown}.questionId`, "is no question of the form")
  }
  const given = new Map(questions.map((question) => [question.questionId, question]))
  return form.questions
    .filter(({ id, required }) => required || given.has(id))
    .map(
      ({ id, ...question }): DynamicAnswer =>
        storedQuestion({ ...question, questionId: id, answer: given.get(id)?.answer })
    )
})
