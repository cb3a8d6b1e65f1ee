import { createSecretKey, type KeyObject, randomBytes } from "node:crypto"
import { OrganizationId, UserId } from "@care/domain/ids"
import { Schema } from "effect"
import type { PhiCipher } from "../cipher/PhiCipher.ts"

/** The stored data key of a patient. `wrapped` is sealed by `PHI_KEY`, and null after the patient was erased. */
export const StoredPatientKey = Schema.Struct({
  organizationId: OrganizationId,
  userId: UserId,
  id: Schema.String,
  wrapped: Schema.NullOr(Schema.String)
})
export type StoredPatientKey = typeof StoredPatientKey.Type

/** The data key of a patient. If it was destroyed it has no secret, and nothing that it sealed can be opened. */
export interface PatientKey extends Pick<StoredPatientKey, "organizationId" | "userId" | "id"> {
  readonly secret: KeyObject | null
}

/** Seals a row without data of a patient, or without any yet, with `PHI_KEY` itself. */
export const ofNobody = Symbol("ofNobody")

const idBytes = 16

/** The length of the id of a patient's key. Ids in `PHI_KEY` are shorter. */
export const patientKeyIdLength = Math.ceil((idBytes * 4) / 3)

export const isPatientKeyId = (id: string): boolean => id.length === patientKeyIdLength

export const newPatientKeyId = (): string => randomBytes(idBytes).toString("base64url")

const placeOf = ({ id, organizationId, userId }: Omit<StoredPatientKey, "wrapped">): string =>
  `patient_keys.wrapped/${JSON.stringify([organizationId, userId, id])}`

/** Opens a stored data key. Throws, as a defect, if it was moved from its row, or if no key of `PHI_KEY` opens it. */
export const unwrapPatientKey = (cipher: PhiCipher["Service"], { wrapped, ...key }: StoredPatientKey): PatientKey => ({
  ...key,
  secret: wrapped === null ? null : createSecretKey(cipher.open(wrapped, placeOf(key)), "base64")
})

/** Makes a new data key of a patient for storage. */
export const newPatientKey = (
  cipher: PhiCipher["Service"],
  organizationId: OrganizationId,
  userId: UserId
): StoredPatientKey => {
  const key = { organizationId, userId, id: newPatientKeyId() }
  return { ...key, wrapped: cipher.seal(randomBytes(32).toString("base64"), placeOf(key)) }
}
