import type { FormAnswer } from "@care/domain/cases"
import { RequestInvalid } from "@care/domain/http"
import { Effect } from "effect"
import { mostFilesPerRequest } from "../documents/index.ts"
import { type PreparedFiles, takesFiles } from "./answers/AnswerFiles.ts"
import { formTooLarge, isTooLargeForm } from "./answers/formSize.ts"

type Answered = Omit<FormAnswer, "answer"> & { readonly answer: unknown }

const countFiles = (answers: ReadonlyArray<Answered>): number =>
  answers.reduce(
    (count, { answer, type }) => (takesFiles(type) && Array.isArray(answer) ? count + answer.length : count),
    0
  )

/**
 * Makes the answers to a form what is stored of them, each by `prepare`, before anything is stored; what is stored of files
 * as an answer is their names and ids. Fails when they are too much for one form.
 */
export const prepareAnswers = Effect.fnUntraced(function* <Question extends Answered, E>(
  answers: ReadonlyArray<Question>,
  prepare: (question: Question, index: number) => Effect.Effect<PreparedFiles, E>
) {
  if (countFiles(answers) > mostFilesPerRequest) {
    return yield* RequestInvalid.inPayload("questions", `must have at most ${mostFilesPerRequest} files together`)
  }
  const prepared = yield* Effect.forEach(answers, (question, index) =>
    Effect.map(prepare(question, index), ({ answer, files }) => ({ question: { ...question, answer }, files }))
  )
  const questions = prepared.map(({ question }) => question)
  if (isTooLargeForm(questions)) return yield* RequestInvalid.inPayload("questions", formTooLarge)
  return { questions, files: prepared.flatMap(({ files }) => files) }
})
