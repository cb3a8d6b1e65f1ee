import { randomUUID } from "node:crypto"
import { Audit, currentProvenance } from "@care/audit"
import {
  EmailOfStaff,
  type EnrolledPatient,
  type Enrollment,
  type EnrollmentOutcome,
  type PatientCompletion,
  type PatientDetails,
  PhoneNumberTaken
} from "@care/domain/auth"
import type { ReportedAddress } from "@care/domain/http"
import { type OrganizationId, UserId } from "@care/domain/ids"
import { inTransaction, Time } from "@care/service-kit"
import { Context, DateTime, Duration, Effect, Layer, Option, Result } from "effect"
import { SqlClient } from "effect/sql"
import { PersonReplication } from "../PersonReplication.ts"
import { type PersonRow, snapshotOf } from "../personRow.ts"
import { completionOf, isIncomplete } from "./completionOf.ts"
import { makePatientsRepo } from "./PatientsRepo.ts"

type EnrollmentRefusal = PhoneNumberTaken | EmailOfStaff

const created = (record: typeof PersonRow.Type): EnrolledPatient => ({
  patient: snapshotOf(record),
  isIncomplete: false,
  isFresh: false
})

// Longer than any intake takes from its patient to its case.
const freshFor = Duration.minutes(2)

/** The patients of organizations: one record a person and organization, found by email. */
export class Patients extends Context.Service<
  Patients,
  {
    /**
     * Finds or creates the organization's patient with this email. Safe to repeat with the same id, also when the
     * patient has got another email since. The record of an existing patient does not change.
     */
    readonly enroll: (enrollment: Enrollment) => Effect.Effect<EnrolledPatient, EnrollmentRefusal>
    /** Enrolls several patients, also of different organizations. Returns their outcomes in the same order. */
    readonly enrollAll: (enrollments: ReadonlyArray<Enrollment>) => Effect.Effect<ReadonlyArray<EnrollmentOutcome>>
    /**
     * Updates a patient's record with the details of the intake of a stored case. They fill what the record lacks; those of the first
     * case replace a record that was never changed; a name replaces an older one. Safe to repeat.
     */
    readonly complete: (completion: PatientCompletion) => Effect.Effect<void>
    /** Returns a patient's address, or null while no street is known. */
    readonly address: (organizationId: OrganizationId, userId: UserId) => Effect.Effect<ReportedAddress | null>
  }
>()("@care/auth/patients/Patients") {
  static readonly layer = Layer.effect(
    Patients,
    Effect.gen(function* () {
      const audit = yield* Audit
      const repo = yield* makePatientsRepo
      const replication = yield* PersonReplication
      const sql = yield* SqlClient.SqlClient

      const recognize = Effect.fnUntraced(function* (enrollment: Enrollment) {
        const found = yield* repo.findKnown(enrollment)
        if (Option.isNone(found)) return Option.none<EnrolledPatient>()
        const { isPhoneTaken, known, ...person } = found.value
        if (person.role !== "USER") return yield* new EmailOfStaff()
        if (isPhoneTaken) return yield* new PhoneNumberTaken()
        const since = DateTime.toDateUtc(DateTime.subtractDuration(yield* Time.now, freshFor))
        return Option.some<EnrolledPatient>({
          patient: snapshotOf(person),
          isIncomplete: isIncomplete(known, enrollment.patient),
          isFresh: person.version === 1 && person.createdAt > since && person.id !== enrollment.newUserId
        })
      })

      const enroll = Effect.fn("Patients.enroll")(function* (
        enrollment: Enrollment
      ): Effect.fn.Return<EnrolledPatient, EnrollmentRefusal> {
        const enrolled = yield* Effect.result(repo.insert(enrollment, yield* currentProvenance))
        if (Result.isSuccess(enrolled) && Option.isSome(enrolled.success)) return created(enrolled.success.value)
        const existing = yield* recognize(enrollment)
        if (Option.isSome(existing)) return existing.value
        // Checked after `recognize`, because the number is the patient's own if a parallel enrollment has just created them.
        if (Result.isFailure(enrolled)) return yield* enrolled.failure
        // The user with the email or the id has been deleted, or has another email by now, so the email is free.
        return yield* enroll({ ...enrollment, newUserId: UserId.make(randomUUID()) })
      })

      // Most patients are new, and are stored in one statement. The others, or all if it fails, are enrolled one by one.
      const enrollAll = Effect.fn("Patients.enrollAll")(function* (enrollments: ReadonlyArray<Enrollment>) {
        const inserted = yield* repo
          .insertNew(enrollments, yield* currentProvenance)
          .pipe(Effect.catchDefect(() => Effect.succeed([])))
        const records = new Map(inserted.map((record) => [record.id, record]))
        const outcomeOf = (enrollment: Enrollment): Effect.Effect<EnrollmentOutcome> => {
          const record = records.get(enrollment.newUserId)
          // A record belongs to one enrollment, also if several have its id.
          if (record?.email === enrollment.patient.email && records.delete(record.id)) {
            return Effect.succeed(created(record))
          }
          return recognize(enrollment).pipe(
            Effect.flatMap(Option.match({ onNone: () => enroll(enrollment), onSome: Effect.succeed })),
            Effect.catch((refusal) => Effect.succeed<EnrollmentOutcome>(refusal))
          )
        }
        return yield* Effect.forEach(enrollments, outcomeOf, { concurrency: 4 })
      })

      const fill = Effect.fnUntraced(function* (
        { organizationId, userId, ...completion }: PatientCompletion,
        patient: PatientDetails,
        now: Date
      ) {
        const record = yield* repo.lock(organizationId, userId, patient.phoneNumber)
        if (Option.isNone(record)) return
        yield* repo.complete(organizationId, userId, completionOf(record.value, { ...completion, patient }, now), now)
        yield* replication.changed(organizationId, [userId])
        yield* audit.changed({ organizationId, action: "PROFILE_CHANGED", userId })
      })

      return Patients.of({
        enroll,
        enrollAll,
        complete: Effect.fn("Patients.complete")(function* (completion) {
          const { organizationId, passwordHash, patient, userId } = completion
          const now = yield* Time.nowAsDate
          if (patient !== undefined) yield* fill(completion, patient, now)
          if (passwordHash === undefined) return
          yield* repo.addLogin(organizationId, userId, passwordHash, now)
          yield* audit.changed({ organizationId, action: "PROFILE_CHANGED", userId, kinds: ["SIGN_IN"] })
        }, inTransaction(sql)),
        address: Effect.fn("Patients.address")((organizationId, userId) =>
          Effect.map(
            repo.address(organizationId, userId),
            Option.match({ onNone: () => null, onSome: ({ reportedAt, ...address }) => ({ address, reportedAt }) })
          )
        )
      })
    })
  )
}
