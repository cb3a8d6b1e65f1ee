import type { OrganizationId, UserId } from "@care/domain/ids"
import { type Array as Arr, Context, Effect, Option } from "effect"
import { PhiCipher } from "../cipher/PhiCipher.ts"
import type { PatientRef } from "../erasure/PatientRecords.ts"
import { newPatientKey, type PatientKey, unwrapPatientKey } from "./PatientKey.ts"
import { makePatientKeysRepo } from "./PatientKeysRepo.ts"

/** The key of the patient about whom the current work wrote last, if any. */
export interface SealedFor {
  key?: PatientKey
}

/** Where work notes that key for its caller, which seals the stored answer of the work with it. */
export const SealedFor = Context.Reference<SealedFor | undefined>("@care/phi/sealed/SealedFor", {
  defaultValue: () => undefined
})

/** Makes and finds the data keys of patients. They are never cached, so that no process uses a destroyed key. */
export const makePatientKeys = Effect.gen(function* () {
  const cipher = yield* PhiCipher
  const repo = yield* makePatientKeysRepo

  const find = (organizationId: OrganizationId, userId: UserId) =>
    Effect.map(
      repo.find(organizationId, userId),
      Option.map((key) => unwrapPatientKey(cipher, key))
    )

  const findOrCreate = Effect.fnUntraced(function* (
    organizationId: OrganizationId,
    userId: UserId
  ): Effect.fn.Return<PatientKey> {
    const found = yield* find(organizationId, userId)
    if (Option.isSome(found)) return found.value
    const newKey = newPatientKey(cipher, organizationId, userId)
    if (yield* repo.store(newKey)) return unwrapPatientKey(cipher, newKey)
    const concurrent = yield* find(organizationId, userId)
    return yield* Effect.orDie(Effect.fromOption(concurrent, () => new Error("A patient's key is gone")))
  })

  return {
    /** Returns the key of a patient, and makes it if there is none. The key of an erased patient seals nothing that could be opened. */
    of: Effect.fn("PatientKeys.of")(function* (organizationId: OrganizationId, userId: UserId) {
      const key = yield* findOrCreate(organizationId, userId)
      const sealedFor = yield* SealedFor
      if (sealedFor !== undefined) sealedFor.key = key
      return key
    }),

    /** Returns a new key, and the statement that stores and returns it if the patient has none. */
    make: (organizationId: OrganizationId, userId: UserId) => {
      const newKey = newPatientKey(cipher, organizationId, userId)
      return { key: unwrapPatientKey(cipher, newKey), stored: repo.insert(newKey) }
    },

    /** Returns the statement that returns a key unless it was destroyed, and protects it until the transaction ends. */
    held: ({ id, organizationId }: PatientKey) => repo.held(organizationId, id),

    isErased: repo.isErased,

    /** Returns the patients of one organization who are not erased. */
    notErasedOf: Effect.fnUntraced(function* (patients: Arr.NonEmptyReadonlyArray<PatientRef>) {
      const [{ organizationId }] = patients
      const userIds = patients.map(({ userId }) => userId)
      const erased = new Set((yield* repo.erasedAmong(organizationId, userIds)).map(({ userId }) => userId))
      return patients.filter(({ userId }) => !erased.has(userId))
    }),

    allErased: repo.allErased,
    destroy: repo.destroy
  }
})
