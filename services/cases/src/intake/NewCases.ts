import { currentProvenance } from "@care/audit"
import type { EnrolledPatient, PatientDetails } from "@care/domain/auth"
import { knownAddress } from "@care/domain/http"
import type { CaseId, OrganizationId } from "@care/domain/ids"
import { type InitialPayment, IntentInUse, type ProviderReference } from "@care/domain/payments"
import { makePatientKeys, type PatientKey } from "@care/phi"
import { Context, Data, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import { ActivityWakeUp, AssignmentJobs, PaymentRecording } from "../case/index.ts"
import { type ActiveCaseExists, makeIntakeRepo, type NewCase } from "./IntakeRepo.ts"
import { makeShortId } from "./makeShortId.ts"
import { PatientCompletions } from "./PatientCompletions.ts"

/** The data for the jobs that follow from a new case. */
export interface FollowUp {
  /** The patient as the request reports them. */
  readonly details: PatientDetails
  /** Whether the patient's record lacks some of that, or is new. */
  readonly enrollment: Pick<EnrolledPatient, "isIncomplete" | "isFresh">
  readonly passwordHash?: string | undefined
  readonly payment?: Omit<InitialPayment, "caseId" | "organizationId" | "userId"> | undefined
}

/** The patient was erased before the case was stored. The same request again creates another patient. */
export class PatientErased extends Data.TaggedError("PatientErased") {}

/** The key that seals the answers of a case, and the statement that returns a row while it is the patient's key. */
interface SealingKey {
  readonly key: PatientKey
  readonly keyStatement: Statement.Fragment
}

const intentOf = (reference: ProviderReference | null | undefined): string | null =>
  reference?.type === "PAYMENT_INTENT" ? reference.id : null

/** Stores new cases, however they are created. */
export class NewCases extends Context.Service<
  NewCases,
  {
    /** Refuses a payment intent that another case of the organization was created with. Call it before anything is stored. */
    readonly requireFreeIntent: (
      organizationId: OrganizationId,
      caseId: CaseId,
      reference: ProviderReference | undefined
    ) => Effect.Effect<void, IntentInUse>
    /**
     * Stores a case with the jobs that follow from it, and joins the caller's transaction. Of parallel cases with the same payment intent,
     * one is stored.
     */
    readonly insert: (
      row: NewCase,
      followUp: FollowUp
    ) => Effect.Effect<void, ActiveCaseExists | IntentInUse | PatientErased>
  }
>()("@care/cases/intake/NewCases") {
  static readonly layer = Layer.effect(
    NewCases,
    Effect.gen(function* () {
      const repo = yield* makeIntakeRepo
      const activityWakeUp = yield* ActivityWakeUp
      const completion = yield* PatientCompletions
      const payments = yield* PaymentRecording
      const assignments = yield* AssignmentJobs
      const patientKeys = yield* makePatientKeys

      const newKey = ({ organizationId, patient }: NewCase): SealingKey => {
        const { key, stored } = patientKeys.make(organizationId, patient.person.id)
        return { key, keyStatement: stored }
      }
      const existingKey = Effect.fnUntraced(function* ({ organizationId, patient }: NewCase) {
        const key = yield* patientKeys.of(organizationId, patient.person.id)
        return { key, keyStatement: patientKeys.held(key) }
      })

      return NewCases.of({
        requireFreeIntent: Effect.fn("NewCases.requireFreeIntent")(function* (organizationId, caseId, reference) {
          const intentId = intentOf(reference)
          if (intentId === null) return
          if (yield* repo.isIntentUsed(organizationId, caseId, intentId)) return yield* new IntentInUse()
        }),

        insert: Effect.fn("NewCases.insert")(function* (row, followUp) {
          const { id: caseId, isTest, organizationId, patient: snapshot, status } = row
          const userId = snapshot.person.id
          const { details, enrollment, passwordHash, payment } = followUp
          const { isFresh, isIncomplete } = enrollment
          const { firstName, lastName } = snapshot.person
          const hasOtherName = details.firstName !== firstName || details.lastName !== lastName
          const fills = isIncomplete || isFresh
          const patient = fills || hasOtherName ? details : undefined
          const isCompleted = patient !== undefined || passwordHash !== undefined
          const jobs = yield* Effect.all([
            ...(status === "OPEN" && !isTest ? [assignments.prepare({ organizationId, caseId })] : []),
            ...(isCompleted
              ? [
                  completion.prepare({
                    organizationId,
                    userId,
                    caseId,
                    patient,
                    passwordHash,
                    isFresh,
                    fills,
                    nameReportedAt: hasOtherName ? row.createdAt : undefined
                  })
                ]
              : []),
            ...(payment === undefined ? [] : [payments.prepare({ caseId, organizationId, userId, ...payment })])
          ])
          const shippingAddress = knownAddress(details.address)
          const intentId = intentOf(payment?.providerReference)
          const provenance = yield* currentProvenance
          const insertWith = ({ key, keyStatement }: SealingKey) =>
            Effect.suspend(() =>
              repo.insertCase(row, {
                shortId: makeShortId(),
                intentId,
                shippingAddress,
                key,
                keyStatement,
                jobs,
                provenance
              })
            )
          // A patient who was created for this case usually has no key yet. Every other patient has one.
          yield* (row.isNewPatient ? insertWith(newKey(row)) : Effect.flatMap(existingKey(row), insertWith)).pipe(
            Effect.catchTags({
              PatientKeyGone: () => Effect.flatMap(existingKey(row), insertWith),
              ShortIdTaken: () => Effect.flatMap(existingKey(row), insertWith)
            }),
            Effect.retry({ times: 5, while: ({ _tag }) => _tag === "ShortIdTaken" }),
            Effect.catchTags({ ShortIdTaken: Effect.die, PatientKeyGone: () => new PatientErased() })
          )
          yield* Effect.forEach(jobs, ({ wake }) => wake, { discard: true })
          yield* activityWakeUp.tell
        })
      })
    })
  ).pipe(Layer.provide([ActivityWakeUp.layer, AssignmentJobs.layer, PatientCompletions.layer, PaymentRecording.layer]))
}
