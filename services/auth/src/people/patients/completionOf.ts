import { Gender, type PatientCompletion, type PatientDetails } from "@care/domain/auth"
import { Record, Schema } from "effect"
import { addressColumns } from "../addressColumns.ts"

const text = Schema.NullOr(Schema.String)

/** The parts of a patient's record that an intake fills. */
export const KnownParts = Schema.Struct({
  phoneNumber: text,
  dob: text,
  gender: Schema.NullOr(Gender),
  languagePreferences: Schema.NullOr(Schema.Array(Schema.String)),
  ...addressColumns
})
type KnownParts = typeof KnownParts.Type

/** A patient's record before a completion. `isPhoneTaken`: the phone number of the completion is another user's. */
export const CompletedRecord = Schema.Struct({
  known: KnownParts,
  firstName: Schema.String,
  lastName: Schema.String,
  nameReportedAt: Schema.NullOr(Schema.Date),
  addressReportedAt: Schema.NullOr(Schema.Date),
  version: Schema.Int,
  isPhoneTaken: Schema.Boolean
})

/** Returns the columns of a patient's address. */
export const addressOf = ({ address }: PatientDetails) => ({
  address: address?.addressLine1 ?? null,
  address2: address?.addressLine2 ?? null,
  city: address?.city ?? null,
  state: address?.state ?? null,
  country: address?.country ?? null,
  postalCode: address?.postalCode ?? null
})

const isSame = (known: string | null, reported: string | null) =>
  known === null || reported === null || known.toLowerCase() === reported.toLowerCase()

// An address fills in what the record lacks, unless the record has a street already, or a part of the address of another place.
const fillsAddress = (known: KnownParts, patient: PatientDetails): boolean => {
  const reported = addressOf(patient)
  return (
    known.address === null &&
    reported.address !== null &&
    (["address2", "city", "state", "country", "postalCode"] as const).every((part) =>
      isSame(known[part], reported[part])
    )
  )
}

/** Returns whether an intake has something that the patient's record lacks. */
export const isIncomplete = (known: KnownParts, patient: PatientDetails): boolean =>
  (["phoneNumber", "dob", "gender", "languagePreferences"] as const).some(
    (part) => known[part] === null && patient[part] !== undefined
  ) || fillsAddress(known, patient)

/**
 * Returns the columns of a patient's record after a completion. It fills what the record lacks. The details of the first case replace
 * those of a record that nobody has changed. A name replaces one that was reported before it.
 */
export const completionOf = (
  { addressReportedAt, isPhoneTaken, known, version, ...name }: typeof CompletedRecord.Type,
  {
    isFirst,
    nameReportedAt,
    patient
  }: Pick<PatientCompletion, "isFirst" | "nameReportedAt"> & { patient: PatientDetails },
  now: Date
) => {
  const isReplaced = isFirst && version === 1
  const isNewestName =
    nameReportedAt !== undefined && (name.nameReportedAt === null || name.nameReportedAt <= nameReportedAt)
  const isFilled = fillsAddress(known, patient)
  const remaining = isReplaced ? undefined : known
  const { firstName, lastName } = isReplaced || isNewestName ? patient : name
  return {
    firstName,
    lastName,
    nameReportedAt: isNewestName ? nameReportedAt : name.nameReportedAt,
    phoneNumber: remaining?.phoneNumber ?? (isPhoneTaken ? null : (patient.phoneNumber ?? null)),
    dob: remaining?.dob ?? patient.dob ?? null,
    gender: remaining?.gender ?? patient.gender ?? null,
    languagePreferences: remaining?.languagePreferences ?? patient.languagePreferences ?? null,
    ...Record.map(addressOf(patient), (part, name) => remaining?.[name] ?? (isReplaced || isFilled ? part : null)),
    addressReportedAt: isFilled && !isReplaced ? now : addressReportedAt
  }
}
