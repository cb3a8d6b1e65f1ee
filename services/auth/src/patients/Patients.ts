import { randomUUID } from "node:crypto"
import {
  EmailOfStaff,
  type EnrolledPatient,
  type PatientCompletion,
  type PatientDetails,
  PhoneNumberTaken
} from "@care/domain/auth"
import { type OrganizationId, UserId } from "@care/domain/ids"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { type KnownUser, makePatientsRepo, type UserKey } from "./PatientsRepo.ts"

/** The patients of organizations: one record a person and organization, found by email. */
export class Patients extends Context.Service<
  Patients,
  {
    /**
     * Finds or creates the organization's patient with this email. Safe to repeat with the same id, also when the
     * patient has got another email since. The record of a patient who exists is left as it is.
     */
    readonly enroll: (
      organizationId: OrganizationId,
      newUserId: UserId,
      patient: PatientDetails
    ) => Effect.Effect<EnrolledPatient, PhoneNumberTaken | EmailOfStaff>
    /** Fills what a patient's record lacks with what a stored case's intake told. Safe to repeat. */
    readonly complete: (completion: PatientCompletion) => Effect.Effect<void>
    readonly find: (
      organizationId: OrganizationId,
      by: { readonly email?: string | undefined; readonly phoneNumber?: string | undefined }
    ) => Effect.Effect<UserId | null>
    readonly summaries: (users: ReadonlyArray<UserKey>) => Effect.Effect<ReadonlyArray<KnownUser>>
  }
>()("@care/auth/patients/Patients") {
  static readonly layer = Layer.effect(
    Patients,
    Effect.gen(function* () {
      const repo = yield* makePatientsRepo

      const enroll = Effect.fn("Patients.enroll")(function* (
        organizationId: OrganizationId,
        newUserId: UserId,
        patient: PatientDetails
      ): Effect.fn.Return<EnrolledPatient, PhoneNumberTaken | EmailOfStaff> {
        const now = yield* DateTime.nowAsDate
        const isNew = yield* repo.insert(organizationId, newUserId, patient, now)
        if (isNew) return { userId: newUserId, isIncomplete: false }

        const known = yield* repo.findKnown(organizationId, patient)
        // Who had the email, or was made with the id, is deleted or has another email by now: the email is free.
        if (Option.isNone(known)) return yield* enroll(organizationId, UserId.make(randomUUID()), patient)
        if (known.value.role !== "USER") return yield* new EmailOfStaff()
        if (known.value.isPhoneTaken) return yield* new PhoneNumberTaken()
        return { userId: known.value.id, isIncomplete: known.value.isIncomplete }
      })

      return Patients.of({
        enroll,
        complete: Effect.fn("Patients.complete")(function* ({ organizationId, passwordHash, patient, userId }) {
          const now = yield* DateTime.nowAsDate
          if (patient !== undefined) yield* repo.complete(organizationId, userId, patient, now)
          if (passwordHash !== undefined) yield* repo.addLogin(organizationId, userId, passwordHash, now)
        }),
        find: Effect.fn("Patients.find")(function* (organizationId, { email, phoneNumber }) {
          if (email !== undefined) return Option.getOrNull(yield* repo.findByEmail(organizationId, email))
          if (phoneNumber === undefined) return null
          return Option.getOrNull(yield* repo.findByPhoneNumber(organizationId, phoneNumber))
        }),
        summaries: Effect.fn("Patients.summaries")(repo.summaries)
      })
    })
  )
}
