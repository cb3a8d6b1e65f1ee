import type { FormAnswer } from "@care/domain/cases"
import { RequestInvalid } from "@care/domain/http"
import { Effect } from "effect"
import { mostFilesPerRequest } from "../documents/index.ts"
import { type PreparedFiles, takesFiles } from "./answers/AnswerFiles.ts"

// Without the contents of files.
const largestForm = 1024 * 1024

type Answered = Omit<FormAnswer, "answer"> & { readonly answer: unknown }

const countFiles = (answers: ReadonlyArray<Answered>): number =>
  answers.reduce(
    (count, { answer, type }) => (takesFiles(type) && Array.isArray(answer) ? count + answer.length : count),
    0
  )

/** Prepares the answers to a form for storing, each by `prepare`. Fails when they are too large for one form. */
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
  if (JSON.stringify(questions).length > largestForm) {
    return yield* RequestInvalid.inPayload(
      "questions",
      "must have at most 1 MiB together, without the contents of files"
    )
  }
  return { questions, files: prepared.flatMap(({ files }) => files) }
})
