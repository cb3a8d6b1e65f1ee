import { AnswerRefused } from "@care/domain/cases"
import { RequestInvalid } from "@care/domain/http"
import { Effect } from "effect"
import { type AnsweredQuestion, type AnswerForm, answerProblem, isWeightQuestion } from "./answerRules.ts"

export interface SubmittedAnswer extends AnsweredQuestion {
  readonly questionId: string | null
  readonly question: string
  readonly answer: unknown
}

/** Fails with the first answer that does not fit its question, or when no question is about weight. */
export const checkAnswers = Effect.fnUntraced(function* (form: AnswerForm, answers: ReadonlyArray<SubmittedAnswer>) {
  for (const submitted of answers) {
    const reason = answerProblem(form, submitted, submitted.answer)
    if (reason !== undefined) {
      return yield* new AnswerRefused({ question: submitted.question, questionId: submitted.questionId, reason })
    }
    // Each answer may be large JSON, so other fibers run before the next.
    yield* Effect.yieldNow
  }
  if (!answers.some(({ question }) => isWeightQuestion(question))) {
    return yield* RequestInvalid.inPayload("questions", "at least one question about the patient's weight is required")
  }
})
