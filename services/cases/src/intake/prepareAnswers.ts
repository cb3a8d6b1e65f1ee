import type { FormAnswer } from "@care/domain/cases"
import { RequestInvalid } from "@care/domain/http"
import { Effect } from "effect"
import { maxFilesPerRequest } from "../documents/index.ts"
import { type PreparedFiles, takesFiles } from "./answers/AnswerFiles.ts"

// In characters of JSON, without the contents of files.
const maxFormLength = 1024 * 1024

type RequestAnswer = Omit<FormAnswer, "answer"> & { readonly answer: unknown }

const countFiles = (answers: ReadonlyArray<RequestAnswer>): number =>
  answers.reduce(
    (count, { answer, type }) => (takesFiles(type) && Array.isArray(answer) ? count + answer.length : count),
    0
  )

/** Prepares the answers to a form for storing, each by `prepare`. Fails when they are too large for one form. */
export const prepareAnswers = Effect.fnUntraced(function* <Question extends RequestAnswer, E>(
  answers: ReadonlyArray<Question>,
  prepare: (question: Question, index: number) => Effect.Effect<PreparedFiles, E>
) {
  if (countFiles(answers) > maxFilesPerRequest) {
    return yield* RequestInvalid.inPayload("questions", `must have at most ${maxFilesPerRequest} files together`)
  }
  const prepared = yield* Effect.forEach(answers, (question, index) =>
    Effect.map(prepare(question, index), ({ answer, files }) => ({ question: { ...question, answer }, files }))
  )
  const questions = prepared.map(({ question }) => question)
  if (JSON.stringify(questions).length > maxFormLength) {
    return yield* RequestInvalid.inPayload(
      "questions",
      "must have at most 1 MiB together, without the contents of files"
    )
  }
  return { questions, files: prepared.flatMap(({ files }) => files) }
})
