import { Schema, SchemaTransformation } from "effect"
import { DateOnly } from "../http/DateOnly.ts"
import { OrganizationId, UserId } from "../Ids.ts"

/** Genders that case creation accepts. */
export const Gender = Schema.Literals(["MALE", "FEMALE", "OTHER"])
export type Gender = typeof Gender.Type

/** A gender in any letter case; in upper case once decoded. */
export const AnyCaseGender = Schema.String.pipe(Schema.decode(SchemaTransformation.toUpperCase())).pipe(
  Schema.decodeTo(Gender)
)

/** A day of birth, not before 1900. Whether it is in the future is checked against the clock when it is acted on. */
export const BirthDate = DateOnly.check(
  Schema.makeFilter((day: string) => (day < "1900-01-01" ? "must not be before 1900" : undefined))
)

/** A postal address of a patient; every part may be missing. */
export const PatientAddress = Schema.Struct({
  addressLine1: Schema.optional(Schema.String),
  addressLine2: Schema.optional(Schema.String),
  city: Schema.optional(Schema.String),
  state: Schema.optional(Schema.String),
  country: Schema.optional(Schema.String),
  postalCode: Schema.optional(Schema.String)
})

/** What case intake knows of a patient. `email` is in lower case, `dob` is `YYYY-MM-DD`. */
export const PatientDetails = Schema.Struct({
  email: Schema.String,
  firstName: Schema.String,
  lastName: Schema.String,
  phoneNumber: Schema.optional(Schema.String),
  dob: Schema.optional(Schema.String),
  gender: Schema.optional(Gender),
  languagePreferences: Schema.optional(Schema.Array(Schema.String)),
  address: Schema.optional(PatientAddress)
})
export type PatientDetails = typeof PatientDetails.Type

/**
 * The patient that intake found or created. `isIncomplete` when the given details hold something that an existing
 * patient's record lacks; an existing record is not touched before the case is stored.
 */
export const EnrolledPatient = Schema.Struct({ userId: UserId, isIncomplete: Schema.Boolean })
export type EnrolledPatient = typeof EnrolledPatient.Type

/**
 * What a stored case's intake told beyond a patient's record: details that fill what it lacks, and the hash of the password
 * of the login that the patient gets if they have none.
 */
export const PatientCompletion = Schema.Struct({
  organizationId: OrganizationId,
  userId: UserId,
  patient: Schema.optional(PatientDetails),
  passwordHash: Schema.optional(Schema.String)
})
export type PatientCompletion = typeof PatientCompletion.Type
