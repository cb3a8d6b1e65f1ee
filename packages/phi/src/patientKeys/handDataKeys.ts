import { OrganizationId } from "@care/domain/ids"
import { Effect, Predicate, Schema } from "effect"
import { keyIdOf, keyIdOfBytes, PhiCipher } from "../cipher/PhiCipher.ts"
import { openedBy, type SealedRow, type StoredRow } from "../sealed/sealedRow.ts"
import { isPatientKeyId, type PatientKey, StoredPatientKey, unwrapPatientKey } from "./PatientKey.ts"
import { makePatientKeysRepo } from "./PatientKeysRepo.ts"

const isStoredRow = (row: unknown): row is StoredRow => Predicate.isObject(row)

const decodeKey = Schema.decodeUnknownSync(Schema.NullOr(StoredPatientKey))
const isOrganizationId = Schema.is(OrganizationId)

const idOf = (sealed: unknown): string =>
  sealed instanceof Uint8Array ? keyIdOfBytes(sealed) : keyIdOf(String(sealed))

/** Makes the function that gives stored rows their data keys: from the column `patient_key`, or with one statement for each organization. */
export const makeHandDataKeys = Effect.fnUntraced(function* ({
  visit
}: Pick<SealedRow<Schema.Top, Schema.Top>, "visit">) {
  const cipher = yield* PhiCipher
  const repo = yield* makePatientKeysRepo

  return (rows: ReadonlyArray<unknown>): Effect.Effect<void> => {
    const keys = new Map<string, PatientKey>()
    const missing = new Map<OrganizationId, Set<string>>()
    const addKey = (key: StoredPatientKey) => keys.set(key.id, unwrapPatientKey(cipher, key))

    const collect = (row: StoredRow, sealed: unknown) => {
      const id = idOf(sealed)
      if (!isPatientKeyId(id)) return
      row[openedBy] = keys
      const organizationId = row["organizationId"]
      if (keys.has(id) || !isOrganizationId(organizationId)) return
      const ids = missing.get(organizationId)
      if (ids === undefined) missing.set(organizationId, new Set([id]))
      else ids.add(id)
    }

    for (const row of rows) {
      if (!isStoredRow(row)) continue
      const ownKey = decodeKey(row["patientKey"] ?? null)
      if (ownKey !== null) addKey(ownKey)
      visit(row, collect)
    }
    if (missing.size === 0) return Effect.void
    return Effect.forEach(
      missing,
      ([organizationId, ids]) =>
        Effect.map(repo.findAll(organizationId, [...ids]), (found) => {
          for (const key of found) addKey(key)
        }),
      { discard: true }
    )
  }
})
