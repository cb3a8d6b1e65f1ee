import { DateTime, Effect, Schema, SchemaGetter } from "effect"
import { lengths } from "../http/bounds.ts"
import { DateOnly } from "../http/DateOnly.ts"
import { languagesOf } from "../http/Language.ts"
import { PostalAddress } from "../http/PostalAddress.ts"
import { textUpTo } from "../http/Text.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { OrganizationId, UserId } from "../Ids.ts"
import { PersonSnapshot } from "./Person.ts"
import { EmailOfStaff, PhoneNumberTaken } from "./User.ts"

export const Gender = Schema.Literals(["MALE", "FEMALE", "OTHER"])
export type Gender = typeof Gender.Type

/** What is said of a day of birth that has not come yet, in UTC. */
export const futureRefusal = "must not be in the future"

/** A day of birth, as `YYYY-MM-DD`: not before 1900, nor after today. */
export const BirthDate = DateOnly.check(
  Schema.makeFilter((day: string) => (day < "1900-01-01" ? "must not be before 1900" : undefined))
).pipe(
  Schema.decode({
    decode: SchemaGetter.checkEffect((day) =>
      Effect.map(DateTime.now, (now) => (day > DateTime.formatIsoDateUtc(now) ? futureRefusal : undefined))
    ),
    encode: SchemaGetter.passthrough()
  })
)

/** What a patient is known by: an email or, for lack of it, a phone number. */
export interface PatientIdentifier {
  readonly email?: string | undefined
  readonly phoneNumber?: string | undefined
}

/** What case intake knows of a patient. `email` is in lower case, `dob` is `YYYY-MM-DD`. */
export const PatientDetails = Schema.Struct({
  email: textUpTo(lengths.email),
  firstName: textUpTo(lengths.name),
  lastName: textUpTo(lengths.name),
  phoneNumber: Schema.optional(textUpTo(lengths.code)),
  dob: Schema.optional(textUpTo(lengths.code)),
  gender: Schema.optional(Gender),
  languagePreferences: languagesOf(textUpTo(lengths.code)),
  address: Schema.optional(PostalAddress)
})
export type PatientDetails = typeof PatientDetails.Type

/** A patient to be found or created, with `newUserId` if created. */
export const Enrollment = Schema.Struct({ organizationId: OrganizationId, newUserId: UserId, patient: PatientDetails })
export type Enrollment = typeof Enrollment.Type

/**
 * The patient that intake found or created. `isIncomplete` when the given details hold something that an existing
 * patient's record lacks; an existing record is not touched before the case is stored. `isFresh` when somebody else's intake
 * made it a moment ago, whose case may yet be refused.
 */
export const EnrolledPatient = Schema.Struct({
  patient: PersonSnapshot,
  isIncomplete: Schema.Boolean,
  isFresh: Schema.Boolean
})
export type EnrolledPatient = typeof EnrolledPatient.Type

/** What became of an enrollment: the patient, or why there is none. */
export const EnrollmentOutcome = Schema.Union([EnrolledPatient, PhoneNumberTaken, EmailOfStaff])
export type EnrollmentOutcome = typeof EnrollmentOutcome.Type

/**
 * What a stored case's intake told beyond a patient's record: details that fill what it lacks, and the hash of the password
 * of the login that the patient gets if they have none. `isFirst` when the case is the only one of a fresh record: what the
 * record was made with was refused, and the details take its place. `nameToldAt` is when the case told another name than the
 * record's, which takes its place unless one was told later.
 */
export const PatientCompletion = Schema.Struct({
  organizationId: OrganizationId,
  userId: UserId,
  patient: Schema.optional(PatientDetails),
  passwordHash: Schema.optional(textUpTo(lengths.secret)),
  isFirst: Schema.Boolean,
  nameToldAt: Schema.optional(Timestamp)
})
export type PatientCompletion = typeof PatientCompletion.Type
