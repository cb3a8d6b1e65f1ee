import type { PatientDetails } from "@care/domain/auth"
import type { InitialPayment } from "@care/domain/payments"
import { Context, Effect, Layer } from "effect"
import { AssignmentJobs } from "../assignment/AssignmentJobs.ts"
import { PaymentRecording } from "../payments/PaymentRecording.ts"
import { type ActiveCaseExists, makeIntakeRepo, type NewCase } from "./IntakeRepo.ts"
import { makeShortId } from "./makeShortId.ts"
import { PatientCompletions } from "./PatientCompletions.ts"

/** What happens after a case was stored. */
export interface FollowUp {
  /** What the patient told, when their record lacks some of it. */
  readonly patient?: PatientDetails | undefined
  readonly passwordHash?: string | undefined
  readonly payment?: Omit<InitialPayment, "caseId" | "organizationId" | "userId"> | undefined
}

/** How a case is stored, whichever way it begins. */
export class NewCases extends Context.Service<
  NewCases,
  {
    /** Stores a case and the jobs that follow from it, inside the caller's transaction. */
    readonly insert: (made: NewCase, follow: FollowUp) => Effect.Effect<void, ActiveCaseExists>
  }
>()("@care/cases/intake/NewCases") {
  static readonly layer = Layer.effect(
    NewCases,
    Effect.gen(function* () {
      const repo = yield* makeIntakeRepo
      const completion = yield* PatientCompletions
      const payments = yield* PaymentRecording
      const assignments = yield* AssignmentJobs

      return NewCases.of({
        insert: Effect.fn("NewCases.insert")(function* (made, follow) {
          const { organizationId } = made
          const userId = made.patient.person.id
          yield* Effect.suspend(() => repo.insertCase(made, makeShortId())).pipe(
            Effect.retry({ times: 5, while: ({ _tag }) => _tag === "ShortIdTaken" }),
            Effect.catchTag("ShortIdTaken", Effect.die)
          )
          if (made.status === "OPEN" && !made.isTest) {
            yield* assignments.offer({ organizationId, caseId: made.id })
          }
          const { passwordHash, patient, payment } = follow
          if (patient !== undefined || passwordHash !== undefined) {
            yield* completion.offer({ organizationId, userId, patient, passwordHash })
          }
          if (payment !== undefined) {
            yield* payments.offer({ caseId: made.id, organizationId, userId, ...payment })
          }
        })
      })
    })
  ).pipe(Layer.provide([AssignmentJobs.layer, PatientCompletions.layer, PaymentRecording.layer]))
}
