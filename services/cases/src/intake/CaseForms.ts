import {
  CaseId,
  CaseNotValid,
  type FormResponseId,
  FormUnanswered,
  maxAnswerLength,
  type OrganizationId,
  RequestInvalid,
  type SubmitCaseForm
} from "@care/domain"
import { Context, DateTime, Effect, Layer, Option, Predicate, Schema } from "effect"
import { isNoAnswer } from "../forms/answerRules.ts"
import { IntakeRepo } from "./IntakeRepo.ts"
import { NewCases } from "./NewCases.ts"

const decodeCaseId = Schema.decodeUnknownOption(CaseId)

const textOf = (answer: unknown): string => {
  if (isNoAnswer(answer)) return ""
  return Predicate.isString(answer) ? answer : JSON.stringify(answer)
}

/** Forms that are submitted for cases that exist. */
export class CaseForms extends Context.Service<
  CaseForms,
  {
    readonly submit: (
      organizationId: OrganizationId,
      body: SubmitCaseForm
    ) => Effect.Effect<
      { readonly caseId: CaseId; readonly formResponseId: FormResponseId },
      CaseNotValid | FormUnanswered | RequestInvalid
    >
  }
>()("@care/cases/intake/CaseForms") {
  static readonly layer = Layer.effect(
    CaseForms,
    Effect.gen(function* () {
      const repo = yield* IntakeRepo
      const newCases = yield* NewCases

      const submit = Effect.fn("CaseForms.submit")(function* (organizationId: OrganizationId, body: SubmitCaseForm) {
        const { formDescription = null, formTitle, questions } = body
        const caseId = decodeCaseId(body.caseId.toLowerCase())
        if (Option.isNone(caseId)) return yield* new CaseNotValid()
        const answers = questions.map(({ answer, options = [], phi = false, required = false, ...question }) => ({
          questionId: question.questionId,
          question: question.question,
          type: question.type,
          required,
          phi,
          options,
          answer: textOf(answer)
        }))
        const refused = answers.findIndex(
          ({ answer, required }) => (required && answer === "") || answer.length > maxAnswerLength
        )
        const response = newCases.formResponse({
          productId: null,
          formId: null,
          title: formTitle,
          description: formDescription,
          questions: answers
        })
        if (answers.every(({ answer }) => answer === "")) return yield* new FormUnanswered()
        if (refused >= 0) {
          const isMissing = answers[refused]?.answer === ""
          return yield* new RequestInvalid({
            part: "payload",
            path: `questions.${refused}.answer`,
            reason: isMissing ? "Required" : `must be at most ${maxAnswerLength} characters long`
          })
        }
        const isStored = yield* repo.insertFormResponse(
          organizationId,
          caseId.value,
          response,
          yield* DateTime.nowAsDate
        )
        return isStored ? { caseId: caseId.value, formResponseId: response.id } : yield* new CaseNotValid()
      })

      return CaseForms.of({ submit })
    })
  )
}
