import { randomUUID } from "node:crypto"
import type { EmailOfStaff, PhoneNumberTaken } from "@care/domain/auth"
import { CaseConflict, type CreateCase, FieldUnacceptable } from "@care/domain/cases"
import { IdempotencyConflict, missingReason, type RateLimited, RequestInvalid } from "@care/domain/http"
import { CaseId, FormResponseId, type OrganizationId, type ProductId, UserId } from "@care/domain/ids"
import { losesAnswer } from "@care/domain/magicValues"
import type { IntentInUse, PromoCodeNotFound } from "@care/domain/payments"
import { Once, onceOperation } from "@care/once"
import { AnswerLost, Time } from "@care/service-kit"
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { Cases, Directory } from "../case/index.ts"
import { Products } from "../catalogue/index.ts"
import { erasedMeanwhile } from "./erasedMeanwhile.ts"
import { IntakePayments } from "./IntakePayments.ts"
import type { NewCase } from "./IntakeRepo.ts"
import { intakeProblems } from "./intakeRules.ts"
import { NewCases } from "./NewCases.ts"
import { patientOf } from "./patientOf.ts"
import { storedQuestion } from "./storedQuestion.ts"

type IntakeRefusal =
  | RequestInvalid
  | FieldUnacceptable
  | PromoCodeNotFound
  | RateLimited
  | CaseConflict
  | IntentInUse
  | IdempotencyConflict
  | PhoneNumberTaken
  | EmailOfStaff

const creation = onceOperation({
  name: "createCase",
  version: 1,
  ids: { caseId: CaseId, newUserId: UserId },
  lastingIds: ["caseId"],
  answer: Schema.Struct({ caseId: CaseId })
})

// A repeated checkout must not create another case with the same intent.
const needsKey = ({ payment, status }: CreateCase): boolean =>
  status === "ABANDONED" && payment?.providerReference.type === "PAYMENT_INTENT"

/** The creation of cases. */
export class Intake extends Context.Service<
  Intake,
  {
    /**
     * Creates a case with its patient, products and forms, or returns the case that the same idempotency key created before. The body's key
     * wins over the header's.
     */
    readonly create: (
      organizationId: OrganizationId,
      body: CreateCase,
      headerKey: string | undefined
    ) => Effect.Effect<CaseId, IntakeRefusal>
  }
>()("@care/cases/intake/Intake") {
  static readonly layer = Layer.effect(
    Intake,
    Effect.gen(function* () {
      const cases = yield* Cases
      const directory = yield* Directory
      const products = yield* Products
      const newCases = yield* NewCases
      const payments = yield* IntakePayments
      const once = yield* Once

      // Returns the names of the products.
      const requireAcceptable = Effect.fnUntraced(function* (organizationId: OrganizationId, body: CreateCase) {
        const today = DateTime.formatIsoDateUtc(yield* Time.now)
        const [problem, ...others] = intakeProblems(body, today)
        if (problem !== undefined) return yield* new FieldUnacceptable({ ...problem, others })
        return yield* products
          .names(
            organizationId,
            body.products.map(({ id }) => id)
          )
          .pipe(
            Effect.mapError(({ productId }) => {
              const index = body.products.findIndex(({ id }) => id === productId)
              return new FieldUnacceptable({ path: `products.${index}.id`, reason: "no such product" })
            })
          )
      })

      const caseOf = (
        organizationId: OrganizationId,
        body: CreateCase,
        names: ReadonlyMap<ProductId, string>,
        { createdAt, id, isNewPatient, patient }: Pick<NewCase, "id" | "patient" | "isNewPatient" | "createdAt">
      ): NewCase => {
        const status = body.status ?? "OPEN"
        const [first] = body.products
        return {
          id,
          organizationId,
          patient,
          isNewPatient,
          title: (first === undefined ? undefined : names.get(first.id)) ?? "",
          status,
          type: first?.visitType ?? "ASYNC_TEXT_EMAIL",
          isTest: body.isTest ?? false,
          isSole: status === "OPEN" && body.forceCreate !== true,
          createdAt,
          products: body.products.map(({ id, visitType = "ASYNC_TEXT_EMAIL" }) => ({ productId: id, visitType })),
          formResponses: body.products.flatMap(({ form, id }) =>
            form === undefined
              ? []
              : [
                  {
                    id: FormResponseId.make(randomUUID()),
                    productId: id,
                    formId: null,
                    title: form.title ?? names.get(id) ?? "",
                    content: {
                      description: form.description ?? null,
                      questions: (form.questions ?? []).map(storedQuestion)
                    }
                  }
                ]
          )
        }
      }

      const prepareCase = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        body: CreateCase,
        { caseId, newUserId }: { readonly caseId: CaseId; readonly newUserId: UserId }
      ) {
        const names = yield* requireAcceptable(organizationId, body)
        yield* newCases.requireFreeIntent(organizationId, caseId, body.payment?.providerReference)
        const { payment, beforeStore } = yield* payments.prepare(organizationId, caseId, body)
        const details = patientOf(body.user)
        const { patient, ...enrollment } = yield* directory.enrollPatient(organizationId, newUserId, details)
        const created = caseOf(organizationId, body, names, {
          id: caseId,
          patient,
          isNewPatient: patient.person.id === newUserId,
          createdAt: yield* Time.nowAsDate
        })
        return beforeStore.pipe(
          Effect.andThen(newCases.insert(created, { details, enrollment, payment })),
          Effect.as({ caseId }),
          Effect.catchTags({ ActiveCaseExists: () => new CaseConflict(), PatientErased: () => erasedMeanwhile })
        )
      })

      const requireUnarchived = Effect.fnUntraced(function* (organizationId: OrganizationId, caseId: CaseId) {
        const existing = yield* cases.find(organizationId, caseId)
        if (!Option.exists(existing, ({ isArchived }) => isArchived)) return { caseId }
        return yield* new IdempotencyConflict({
          reason: "The case of this idempotency key is archived. Use a new key."
        })
      })

      return Intake.of({
        create: Effect.fn("Intake.create")(function* (organizationId, { idempotencyKey, ...body }, headerKey) {
          const key = idempotencyKey ?? headerKey
          if (key === undefined && needsKey(body)) {
            return yield* RequestInvalid.inPayload("idempotencyKey", missingReason)
          }
          let isNew = false
          const prepare = (ids: { readonly caseId: CaseId; readonly newUserId: UserId }) => {
            isNew = true
            return prepareCase(organizationId, body, ids)
          }
          const { caseId } = yield* once.run(creation, { organizationId, key, body }, prepare, {
            replayed: ({ caseId }) => requireUnarchived(organizationId, caseId),
            isUsed: ({ caseId }) => Effect.map(cases.find(organizationId, caseId), Option.isSome)
          })
          const isOfSandbox = (yield* Time.TestOrganization)?.organizationId === organizationId
          if (isNew && isOfSandbox && losesAnswer(body.user.email)) return yield* Effect.die(new AnswerLost())
          return caseId
        }, Effect.scoped)
      })
    })
  ).pipe(Layer.provide([Cases.layer, IntakePayments.layer, NewCases.layer, Products.layer]))
}
