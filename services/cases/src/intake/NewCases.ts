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

/** What happens after a case was stored. */
export interface FollowUp {
  /** What the patient told. */
  readonly details: PatientDetails
  /** What the patient's record is missing of it. */
  readonly enrolled: Pick<EnrolledPatient, "isIncomplete" | "isFresh">
  readonly passwordHash?: string | undefined
  readonly payment?: Omit<InitialPayment, "caseId" | "organizationId" | "userId"> | undefined
}

/** The patient was erased while the case was about to be stored: the same request again makes another patient. */
export class PatientErased extends Data.TaggedError("PatientErased") {}

/** What seals the answers of a case, and the statement that returns it as long as that is right. */
interface SealingKey {
  readonly key: PatientKey
  readonly keyed: Statement.Fragment
}

const intentOf = (reference: ProviderReference | null | undefined): string | null =>
  reference?.type === "PAYMENT_INTENT" ? reference.id : null

/** How a case is stored, whichever way it begins. */
export class NewCases extends Context.Service<
  NewCases,
  {
    /** Refuses a payment intent that another case of the organization began with, before anything is stored or asked. */
    readonly requireFreeIntent: (
      organizationId: OrganizationId,
      caseId: CaseId,
      reference: ProviderReference | undefined
    ) => Effect.Effect<void, IntentInUse>
    /**
     * Stores a case and the jobs that follow from it, all or nothing, inside the caller's transaction if there is one. Of
     * those that name one payment intent at once the first is stored.
     */
    readonly insert: (
      made: NewCase,
      follow: FollowUp
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
        return { key, keyed: stored }
      }
      const knownKey = Effect.fnUntraced(function* ({ organizationId, patient }: NewCase) {
        const key = yield* patientKeys.of(organizationId, patient.person.id)
        return { key, keyed: patientKeys.held(key) }
      })

      return NewCases.of({
        requireFreeIntent: Effect.fn("NewCases.requireFreeIntent")(function* (organizationId, caseId, reference) {
          const intentId = intentOf(reference)
          if (intentId === null) return
          if (yield* repo.isIntentUsed(organizationId, caseId, intentId)) return yield* new IntentInUse()
        }),

        insert: Effect.fn("NewCases.insert")(function* (made, follow) {
          const { id: caseId, isTest, organizationId, patient: snapshot, status } = made
          const userId = snapshot.person.id
          const { details, enrolled, passwordHash, payment } = follow
          const { isFresh, isIncomplete } = enrolled
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
                    nameToldAt: hasOtherName ? made.createdAt : undefined
                  })
                ]
              : []),
            ...(payment === undefined ? [] : [payments.prepare({ caseId, organizationId, userId, ...payment })])
          ])
          const shippingAddress = knownAddress(details.address)
          const intentId = intentOf(payment?.providerReference)
          const provenance = yield* currentProvenance
          const insertWith = ({ key, keyed }: SealingKey) =>
            Effect.suspend(() =>
              repo.insertCase(made, { shortId: makeShortId(), intentId, shippingAddress, key, keyed, jobs, provenance })
            )
          // Who was made for the case has no key as a rule, and everybody else has one.
          yield* (made.isNewPatient ? insertWith(newKey(made)) : Effect.flatMap(knownKey(made), insertWith)).pipe(
            Effect.catchTags({
              PatientKeyGone: () => Effect.flatMap(knownKey(made), insertWith),
              ShortIdTaken: () => Effect.flatMap(knownKey(made), insertWith)
            }),
            Effect.retry({ times: 5, while: ({ _tag }) => _tag === "ShortIdTaken" }),
            Effect.catchTags({ ShortIdTaken: Effect.die, PatientKeyGone: () => new PatientErased() })
          )
          yield* Effect.forEach(jobs, ({ tell }) => tell, { discard: true })
          yield* activityWakeUp.tell
        })
      })
    })
  ).pipe(Layer.provide([ActivityWakeUp.layer, AssignmentJobs.layer, PatientCompletions.layer, PaymentRecording.layer]))
}
