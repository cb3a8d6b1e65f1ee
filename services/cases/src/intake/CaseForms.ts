import { CaseNotValid, FormUnanswered, maxAnswerLength, type SubmitCaseForm } from "@care/domain/cases"
import { type IdempotencyConflict, RequestInvalid } from "@care/domain/http"
import { CaseId, FormResponseId, type OrganizationId } from "@care/domain/ids"
import { Once, onceOperation } from "@care/service-kit"
import { Context, DateTime, Effect, Layer, Option, Predicate, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { AnswerFiles, countFiles, takesFiles } from "../documents/AnswerFiles.ts"
import { mostFilesPerRequest } from "../documents/receiveFile.ts"
import { answerProblem, isNoAnswer } from "../forms/answerRules.ts"
import { formTooLarge, isTooLargeForm } from "../forms/formSize.ts"
import { Cases } from "../lifecycle/Cases.ts"
import { makeIntakeRepo } from "./IntakeRepo.ts"

const submission = onceOperation({
  name: "submitCaseForm",
  version: 1,
  ids: { formResponseId: FormResponseId },
  answer: Schema.Struct({ caseId: CaseId, formResponseId: FormResponseId })
})

const decodeCaseId = Schema.decodeUnknownOption(CaseId)

type CaseForm = SubmitCaseForm & { readonly caseId: CaseId }

const invalid = (path: string, reason: string) => new RequestInvalid({ part: "payload", path, reason })

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
      const sql = yield* SqlClient.SqlClient

      // A file answer is checked as those of a dynamic case are; any other is taken as it is.
      const prepared = Effect.fnUntraced(function* (
        { answer, options = [], phi = false, required = false, ...question }: SubmitCaseForm["questions"][number],
        index: number
      ) {
        const path = `questions.${index}.answer`
        const stored = {
          questionId: question.questionId,
          question: question.question,
          type: question.type,
          required,
          phi,
          options
        }
        if (isNoAnswer(answer) || !takesFiles(question.type)) {
          const text = textOf(answer)
          return text.length > maxAnswerLength
            ? yield* invalid(path, `must be at most ${maxAnswerLength} characters long`)
            : { files: [], question: { ...stored, answer: text } }
        }
        const problem = answerProblem("title", { type: question.type, required, options }, answer)
        if (problem !== undefined) return yield* invalid(path, problem)
        const { answer: text, files } = yield* answerFiles
          .prepare(path, answer)
          .pipe(Effect.mapError((error) => invalid(error.path, error.reason)))
        return { files, question: { ...stored, answer: text } }
      })

      const response = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        body: CaseForm,
        formResponseId: FormResponseId
      ) {
        const { caseId, formDescription = null, formTitle, questions } = body
        if (questions.every(({ answer }) => isNoAnswer(answer))) return yield* new FormUnanswered()
        const missing = questions.findIndex(({ answer, required }) => required === true && isNoAnswer(answer))
        if (missing >= 0) return yield* invalid(`questions.${missing}.answer`, "Required")
        if (countFiles(questions) > mostFilesPerRequest) {
          return yield* invalid("questions", `must have at most ${mostFilesPerRequest} files together`)
        }
        const answers = yield* Effect.forEach(questions, prepared)
        const files = answers.flatMap((answer) => answer.files)
        const asked = answers.map(({ question }) => question)
        if (isTooLargeForm(asked)) return yield* invalid("questions", formTooLarge)
        const stored = {
          id: formResponseId,
          productId: null,
          formId: null,
          title: formTitle,
          content: { description: formDescription, questions: asked }
        }
        const own = yield* cases.find(organizationId, caseId)
        if (Option.isNone(own)) return yield* new CaseNotValid()
        const { userId } = own.value
        const now = yield* DateTime.nowAsDate
        const store = Effect.gen(function* () {
          const hasRoom = yield* repo.insertFormResponse(organizationId, caseId, stored, now)
          if (!hasRoom) return yield* invalid("questions", "must leave the case with at most 8 MiB of forms")
          yield* answerFiles.store({ organizationId, caseId, uploadedBy: userId }, files)
          return { caseId, formResponseId }
        })
        return sql.withTransaction(store).pipe(Effect.catchTag("SqlError", Effect.die))
      })

      return CaseForms.of({
        submit: Effect.fn("CaseForms.submit")(function* (organizationId, given, key) {
          const caseId = decodeCaseId(given.caseId)
          if (Option.isNone(caseId)) return yield* new CaseNotValid()
          // However the id is spelled, it is the same request.
          const body = { ...given, caseId: caseId.value }
          return yield* once.run(submission, { organizationId, key, body }, ({ formResponseId }) =>
            response(organizationId, body, formResponseId)
          )
        })
      })
    })
  ).pipe(Layer.provide([AnswerFiles.layer, Cases.layer]))
}
