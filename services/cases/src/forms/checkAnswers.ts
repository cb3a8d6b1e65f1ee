import { AnswerRefused, RequestInvalid } from "@care/domain"
import { type AnsweredQuestion, type AnswerForm, answerProblem, isWeightQuestion } from "./answerRules.ts"

/** A question with what was answered to it. */
export interface GivenAnswer extends AnsweredQuestion {
  readonly questionId: string | null
  readonly question: string
  readonly answer: unknown
}

/** The first answer that does not fit its question, or what the questions lack altogether; undefined when nothing. */
export const checkAnswers = (
  form: AnswerForm,
  answers: ReadonlyArray<GivenAnswer>
): AnswerRefused | RequestInvalid | undefined => {
  for (const given of answers) {
    const reason = answerProblem(form, given, given.answer)
    if (reason !== undefined) {
      return new AnswerRefused({ question: given.question, questionId: given.questionId, reason })
    }
  }
  return answers.some(({ question }) => isWeightQuestion(question))
    ? undefined
    : new RequestInvalid({
        part: "payload",
        path: "questions",
        reason: "at least one question about the patient's weight is required"
      })
}
