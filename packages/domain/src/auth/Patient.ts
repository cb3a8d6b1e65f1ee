import { DateTime, Effect, Schema, SchemaGetter } from "effect"
import { lengths } from "../http/bounds.ts"
import { PostalAddress } from "../http/KnownAddress.ts"
import { languagesOf } from "../http/Language.ts"
import { textUpTo } from "../http/Text.ts"
import { DateOnly, Timestamp } from "../http/Timestamp.ts"
import { OrganizationId, UserId } from "../Ids.ts"
import { PersonSnapshot } from "./Person.ts"
import { EmailOfStaff, PhoneNumberTaken } from "./User.ts"

export const Gender = Schema.Literals(["MALE", "FEMALE", "OTHER"])

/** The refusal of a birth date after today, in UTC. */
export const futureRefusal = "must not be in the future"

/** A birth date, `YYYY-MM-DD`: from 1900 to today. */
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

/** The identifier of a patient: an email, or else a phone number. */
export interface PatientIdentifier {
  readonly email?: string | undefined
  readonly phoneNumber?: string | undefined
}

/** A patient's details of case intake. `email` is in lower case, `dob` is `YYYY-MM-DD`. */
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

/** A patient to find, or to create with `newUserId`. */
export const Enrollment = Schema.Struct({ organizationId: OrganizationId, newUserId: UserId, patient: PatientDetails })
export type Enrollment = typeof Enrollment.Type

/**
 * The patient of an enrollment. `isIncomplete`: the details contain something that an existing record lacks; that
 * record is not changed before the case is stored. `isFresh`: another intake created the patient a moment ago, and its
 * case may still be refused.
 */
export const EnrolledPatient = Schema.Struct({
  patient: PersonSnapshot,
  isIncomplete: Schema.Boolean,
  isFresh: Schema.Boolean
})
export type EnrolledPatient = typeof EnrolledPatient.Type

/** The result of an enrollment: the patient, or the refusal. */
export const EnrollmentOutcome = Schema.Union([EnrolledPatient, PhoneNumberTaken, EmailOfStaff])
export type EnrollmentOutcome = typeof EnrollmentOutcome.Type

/**
 * The details of a stored case that complete its patient's record, and the password hash of a patient without a login.
 * `isFirst`: the case is the only one of a new record, whose original details were refused, so that these replace them.
 * `nameReportedAt`: when the case gave another name than the record's. It replaces that name unless a later one was given.
 */
export const PatientCompletion = Schema.Struct({
  organizationId: OrganizationId,
  userId: UserId,
  patient: Schema.optional(PatientDetails),
  passwordHash: Schema.optional(textUpTo(lengths.secret)),
  isFirst: Schema.Boolean,
  nameReportedAt: Schema.optional(Timestamp)
})
export type PatientCompletion = typeof PatientCompletion.Type
