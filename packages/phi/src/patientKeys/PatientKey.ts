import { createSecretKey, type KeyObject, randomBytes } from "node:crypto"
import { OrganizationId, UserId } from "@care/domain/ids"
import { Schema } from "effect"
import type { PhiCipher } from "../cipher/PhiCipher.ts"

/**
 * The data key of a patient as it is stored: `wrapped` is sealed by `PHI_KEY` for its row, and null since the patient was
 * erased. The id says which data key sealed a value; it is longer than any of `PHI_KEY`.
 */
export const StoredPatientKey = Schema.Struct({
  organizationId: OrganizationId,
  userId: UserId,
  id: Schema.String,
  wrapped: Schema.NullOr(Schema.String)
})
export type StoredPatientKey = typeof StoredPatientKey.Type

/** The data key of a patient, to seal with and to open. Without a secret it was destroyed, and what it sealed is gone. */
export interface PatientKey extends Pick<StoredPatientKey, "organizationId" | "userId" | "id"> {
  readonly secret: KeyObject | null
}

/** What a row that has nothing of a patient, or nothing yet, is sealed with: `PHI_KEY` itself. */
export const ofNobody = Symbol("ofNobody")

const idBytes = 16

/** How many characters the id of a patient's key has. */
export const patientKeyIdLength = Math.ceil((idBytes * 4) / 3)

/** Whether a value that has this id was sealed with a patient's key. */
export const isPatientKeyId = (id: string): boolean => id.length === patientKeyIdLength

/** The id of a patient's key, and nothing for any other. */
export const newPatientKeyId = (): string => randomBytes(idBytes).toString("base64url")

const placeOf = ({ id, organizationId, userId }: Omit<StoredPatientKey, "wrapped">): string =>
  `patient_keys.wrapped/${JSON.stringify([organizationId, userId, id])}`

/** Opens a data key, in its own row alone. Throws, as a defect, when none of `PHI_KEY` does. */
export const unwrapPatientKey = (cipher: PhiCipher["Service"], { wrapped, ...key }: StoredPatientKey): PatientKey => ({
  ...key,
  secret: wrapped === null ? null : createSecretKey(cipher.open(wrapped, placeOf(key)), "base64")
})

/** A new data key of a patient, as it is to be stored. */
export const newPatientKey = (
  cipher: PhiCipher["Service"],
  organizationId: OrganizationId,
  userId: UserId
): StoredPatientKey => {
  const key = { organizationId, userId, id: newPatientKeyId() }
  return { ...key, wrapped: cipher.seal(randomBytes(32).toString("base64"), placeOf(key)) }
}
