import type { EmailOfStaff, PhoneNumberTaken } from "@care/domain/auth"
import { AnswerRefused, type CreateDynamicCase } from "@care/domain/cases"
import { type IdempotencyConflict, RequestInvalid } from "@care/domain/http"
import { CaseId, type FormId, FormResponseId, type OrganizationId, UserId } from "@care/domain/ids"
import type { IntentInUse, ProviderReference } from "@care/domain/payments"
import { Once, onceOperation } from "@care/once"
import { hashPassword, inTransaction, Time } from "@care/service-kit"
import { Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { Directory, PaymentPreparations } from "../case/index.ts"
import { Forms } from "../catalogue/index.ts"
import { AnswerFiles, takesFiles } from "./answers/AnswerFiles.ts"
import { isNoAnswer } from "./answers/answerRules.ts"
import { answerText } from "./answers/answerText.ts"
import { checkAnswers } from "./answers/checkAnswers.ts"
import { type DynamicAnswer, idBasedAnswers, titleBasedAnswers, titleBasedForm } from "./dynamicAnswers.ts"
import { erasedMeanwhile } from "./erasedMeanwhile.ts"
import { NewCases } from "./NewCases.ts"
import { patientOf } from "./patientOf.ts"
import { prepareAnswers } from "./prepareAnswers.ts"

const DynamicCase = Schema.Struct({ caseId: CaseId, formResponseId: FormResponseId })

export type DynamicCase = typeof DynamicCase.Type

const creation = onceOperation({
  name: "createDynamicCase",
  version: 1,
  ids: { ...DynamicCase.fields, newUserId: UserId },
  answer: DynamicCase
})

// The form of a request. A new form gets its id in the transaction of the case.
interface FilledForm {
  readonly title: string
  readonly answers: ReadonlyArray<DynamicAnswer>
  readonly formId: Effect.Effect<FormId>
}

const unknownPayment = { amount: null, currency: null, description: null }

// With both, the case is paid by the payment intent, and the method of the setup intent is saved.
const referenceOf = ({ gatewayPaymentId, gatewaySetupId }: CreateDynamicCase): ProviderReference | undefined => {
  if (gatewayPaymentId !== undefined) return { type: "PAYMENT_INTENT", id: gatewayPaymentId }
  return gatewaySetupId === undefined ? undefined : { type: "SETUP_INTENT", id: gatewaySetupId }
}

/** The creation of cases from the answers to a form. */
export class DynamicCases extends Context.Service<
  DynamicCases,
  {
    /** Creates a case, whatever other cases the patient has. A refused request stores nothing. */
    readonly create: (
      organizationId: OrganizationId,
      body: CreateDynamicCase,
      idempotencyKey: string | undefined
    ) => Effect.Effect<
      DynamicCase,
      RequestInvalid | AnswerRefused | PhoneNumberTaken | EmailOfStaff | IntentInUse | IdempotencyConflict
    >
  }
>()("@care/cases/intake/DynamicCases") {
  static readonly layer = Layer.effect(
    DynamicCases,
    Effect.gen(function* () {
      const directory = yield* Directory
      const forms = yield* Forms
      const newCases = yield* NewCases
      const answerFiles = yield* AnswerFiles
      const preparations = yield* PaymentPreparations
      const once = yield* Once
      const sql = yield* SqlClient.SqlClient

      const fillForm = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        body: CreateDynamicCase
      ): Effect.fn.Return<FilledForm, RequestInvalid | AnswerRefused> {
        const { formId, formTitle, questions } = body
        if (formTitle !== undefined) {
          const answers = titleBasedAnswers(questions)
          yield* checkAnswers("title", answers)
          return {
            title: formTitle,
            answers,
            formId: forms.ensure(organizationId, titleBasedForm(formTitle, body))
          }
        }
        const form = formId === undefined ? undefined : (yield* forms.findAll(organizationId, [formId])).get(formId)
        if (form === undefined || !form.isActive) return yield* RequestInvalid.inPayload("formId", "no such form")
        const answers = yield* idBasedAnswers(form, questions)
        yield* checkAnswers("id", answers)
        return { title: form.title, answers, formId: Effect.succeed(form.id) }
      })

      const preparePayment = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        caseId: CaseId,
        body: CreateDynamicCase
      ) {
        const providerReference = referenceOf(body)
        if (providerReference === undefined) return { beforeStore: Effect.void }
        const reportedPayment = { ...unknownPayment, providerReference }
        const { discount, beforeStore } = yield* preparations
          .prepare({
            organizationId,
            caseId,
            ...reportedPayment,
            setupIntentId: body.gatewayPaymentId === undefined ? null : (body.gatewaySetupId ?? null),
            discounts: { whole: null, products: [] }
          })
          .pipe(
            Effect.catchTags({
              ReferenceRefused: ({ reason, type }) =>
                RequestInvalid.inPayload(type === "SETUP_INTENT" ? "gatewaySetupId" : "gatewayPaymentId", reason),
              IntentUnpaid: Effect.die,
              PromoCodeNotFound: Effect.die,
              RateLimited: Effect.die
            })
          )
        return { payment: { ...reportedPayment, discount }, beforeStore }
      })

      const prepareFile = ({ answer, question, questionId, type }: DynamicAnswer) =>
        !takesFiles(type) || isNoAnswer(type, answer)
          ? Effect.succeed({ answer: answerText(type, answer), files: [] })
          : Effect.mapError(answerFiles.prepare("answer", answer), ({ path, reason }) => {
              const prefix = path === "answer" ? "" : `${path}, `
              return new AnswerRefused({ question, questionId, reason: `${prefix}${reason}` })
            })

      const prepareCase = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        body: CreateDynamicCase,
        { caseId, formResponseId, newUserId }: DynamicCase & { readonly newUserId: UserId }
      ) {
        const { answers, formId, title } = yield* fillForm(organizationId, body)
        yield* newCases.requireFreeIntent(organizationId, caseId, referenceOf(body))
        const { files, questions } = yield* prepareAnswers(answers, prepareFile)
        yield* answerFiles.requireRoom(organizationId, files)
        const passwordHash = body.password === undefined ? undefined : yield* hashPassword(body.password)
        const { payment, beforeStore } = yield* preparePayment(organizationId, caseId, body)
        const details = patientOf(body)
        const now = yield* Time.nowAsDate
        const { patient, ...enrollment } = yield* directory.enrollPatient(organizationId, newUserId, details)

        const store = Effect.gen(function* () {
          yield* beforeStore
          const response = {
            id: formResponseId,
            productId: null,
            formId: yield* formId,
            title,
            content: { description: body.formDescription ?? null, questions }
          }
          yield* newCases.insert(
            {
              id: caseId,
              organizationId,
              patient,
              isNewPatient: patient.person.id === newUserId,
              title,
              status: "OPEN",
              type: "ASYNC_TEXT_EMAIL",
              isTest: false,
              isSole: false,
              createdAt: now,
              products: [],
              formResponses: [response]
            },
            { details, enrollment, passwordHash, payment }
          )
          yield* answerFiles.store({ organizationId, caseId, uploadedBy: patient.person.id }, files)
          return { caseId, formResponseId }
        })
        return store.pipe(
          inTransaction(sql),
          Effect.catchTags({ ActiveCaseExists: Effect.die, PatientErased: () => erasedMeanwhile })
        )
      })

      return DynamicCases.of({
        create: Effect.fn("DynamicCases.create")(
          (organizationId, body, key) =>
            once.run(creation, { organizationId, key, body: Struct.omit(body, ["password"]) }, (ids) =>
              prepareCase(organizationId, body, ids)
            ),
          Effect.scoped
        )
      })
    })
  ).pipe(Layer.provide([AnswerFiles.layer, Forms.layer, NewCases.layer, PaymentPreparations.layer]))
}
