import { CaseNotValid, FormUnanswered, maxAnswerLength, type SubmitCaseForm } from "@care/domain/cases"
import { type IdempotencyConflict, missingReason, RequestInvalid } from "@care/domain/http"
import { CaseId, FormResponseId, type OrganizationId } from "@care/domain/ids"
import { Once, onceOperation } from "@care/once"
import { makePatientKeys } from "@care/phi"
import { inTransaction, Time } from "@care/service-kit"
import { Context, Effect, Layer, Predicate, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Cases } from "../case/index.ts"
import { AnswerFiles, takesFiles } from "./answers/AnswerFiles.ts"
import { answerProblem, isNoAnswer } from "./answers/answerRules.ts"
import { makeIntakeRepo } from "./IntakeRepo.ts"
import { prepareAnswers } from "./prepareAnswers.ts"
import { storedQuestion } from "./storedQuestion.ts"

const submission = onceOperation({
  name: "submitCaseForm",
  version: 1,
  ids: { formResponseId: FormResponseId },
  answer: Schema.Struct({ caseId: CaseId, formResponseId: FormResponseId })
})

const decodeCaseId = Schema.decodeUnknownOption(CaseId)

type CaseForm = SubmitCaseForm & { readonly caseId: CaseId }

type StoredQuestion = ReturnType<typeof storedQuestion<string, unknown>>

const textOf = (type: string, answer: unknown): string => {
  if (isNoAnswer(type, answer)) return ""
  return Predicate.isString(answer) ? answer : JSON.stringify(answer)
}

/** The submission of forms for existing cases. */
export class CaseForms extends Context.Service<
  CaseForms,
  {
    readonly submit: (
      organizationId: OrganizationId,
      body: SubmitCaseForm,
      idempotencyKey: string | undefined
    ) => Effect.Effect<
      { readonly caseId: CaseId; readonly formResponseId: FormResponseId },
      CaseNotValid | FormUnanswered | RequestInvalid | IdempotencyConflict
    >
  }
>()("@care/cases/intake/CaseForms") {
  static readonly layer = Layer.effect(
    CaseForms,
    Effect.gen(function* () {
      const repo = yield* makeIntakeRepo
      const cases = yield* Cases
      const answerFiles = yield* AnswerFiles
      const once = yield* Once
      const patientKeys = yield* makePatientKeys
      const sql = yield* SqlClient.SqlClient
      const orCaseNotValid = Effect.fromOption(() => new CaseNotValid())

      // Only answers with files are checked, as in a dynamic case.
      const prepare = Effect.fnUntraced(function* ({ answer, options, required, type }: StoredQuestion, index: number) {
        const path = `questions.${index}.answer`
        if (isNoAnswer(type, answer) || !takesFiles(type)) {
          const text = textOf(type, answer)
          return text.length > maxAnswerLength
            ? yield* RequestInvalid.inPayload(path, `must be at most ${maxAnswerLength} characters long`)
            : { answer: text, files: [] }
        }
        const problem = answerProblem("title", { type, required, options }, answer)
        if (problem !== undefined) return yield* RequestInvalid.inPayload(path, problem)
        return yield* answerFiles
          .prepare(path, answer)
          .pipe(Effect.mapError((error) => RequestInvalid.inPayload(error.path, error.reason)))
      })

      const prepareSubmission = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        body: CaseForm,
        formResponseId: FormResponseId
      ) {
        const { caseId, formDescription = null, formTitle, questions } = body
        if (questions.every(({ answer, type }) => isNoAnswer(type, answer))) return yield* new FormUnanswered()
        const missing = questions.findIndex(
          ({ answer, required, type }) => required === true && type !== "STATEMENT" && isNoAnswer(type, answer)
        )
        if (missing >= 0) return yield* RequestInvalid.inPayload(`questions.${missing}.answer`, missingReason)
        const prepared = yield* prepareAnswers(questions.map(storedQuestion), prepare)
        yield* answerFiles.requireRoom(organizationId, prepared.files)
        const stored = {
          id: formResponseId,
          productId: null,
          formId: null,
          title: formTitle,
          content: { description: formDescription, questions: prepared.questions }
        }
        const { userId } = yield* orCaseNotValid(yield* cases.find(organizationId, caseId))
        const now = yield* Time.nowAsDate
        const store = Effect.gen(function* () {
          yield* cases
            .record(organizationId, caseId, { type: "FORM_SUBMITTED", details: { formResponseId } })
            .pipe(Effect.mapError(() => new CaseNotValid()))
          const key = yield* patientKeys.of(organizationId, userId)
          const hasRoom = yield* repo.insertFormResponse(key, organizationId, caseId, stored, now)
          if (!hasRoom) {
            return yield* RequestInvalid.inPayload("questions", "must leave the case with at most 8 MiB of forms")
          }
          yield* answerFiles.store({ organizationId, caseId, uploadedBy: userId }, prepared.files)
          return { caseId, formResponseId }
        })
        return inTransaction(sql)(store)
      })

      return CaseForms.of({
        submit: Effect.fn("CaseForms.submit")(function* (organizationId, { key: _, ...request }, idempotencyKey) {
          // Requests are the same whatever the spelling of the case id, and wherever the organization's key was sent.
          const body = { ...request, caseId: yield* orCaseNotValid(decodeCaseId(request.caseId)) }
          return yield* once.run(submission, { organizationId, key: idempotencyKey, body }, ({ formResponseId }) =>
            prepareSubmission(organizationId, body, formResponseId)
          )
        })
      })
    })
  ).pipe(Layer.provide([AnswerFiles.layer, Cases.layer]))
}
