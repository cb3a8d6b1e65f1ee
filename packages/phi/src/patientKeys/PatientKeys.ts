import type { OrganizationId, UserId } from "@care/domain/ids"
import { Effect, Option } from "effect"
import { PhiCipher } from "../cipher/PhiCipher.ts"
import { SealedFor } from "../sealed/SealedFor.ts"
import { newPatientKey, type PatientKey, unwrapPatientKey } from "./PatientKey.ts"
import { makePatientKeysRepo } from "./PatientKeysRepo.ts"

/**
 * The data keys of patients, which seal what a service keeps of them. None is remembered: whoever seals or opens reads the
 * key anew, so that one which was destroyed is used nowhere.
 */
export const makePatientKeys = Effect.gen(function* () {
  const cipher = yield* PhiCipher
  const repo = yield* makePatientKeysRepo

  const find = (organizationId: OrganizationId, userId: UserId) =>
    Effect.map(
      repo.find(organizationId, userId),
      Option.map((key) => unwrapPatientKey(cipher, key))
    )

  const known = Effect.fnUntraced(function* (
    organizationId: OrganizationId,
    userId: UserId
  ): Effect.fn.Return<PatientKey> {
    const found = yield* find(organizationId, userId)
    if (Option.isSome(found)) return found.value
    const made = newPatientKey(cipher, organizationId, userId)
    if (yield* repo.store(made)) return unwrapPatientKey(cipher, made)
    const others = yield* find(organizationId, userId)
    return yield* Effect.orDie(Effect.fromOption(others, () => new Error("A patient's key is not there any more")))
  })

  return {
    /**
     * The key of a patient, made when there is none, inside the caller's transaction if there is one. Of several who make
     * it at once one does. That of a patient who was erased seals nothing that could be opened.
     */
    of: Effect.fn("PatientKeys.of")(function* (organizationId: OrganizationId, userId: UserId) {
      const key = yield* known(organizationId, userId)
      const noted = yield* SealedFor
      if (noted !== undefined) noted.key = key
      return key
    }),

    /** A new key of a patient who may have none yet, and the statement that stores it then, which returns it. */
    make: (organizationId: OrganizationId, userId: UserId) => {
      const made = newPatientKey(cipher, organizationId, userId)
      return { key: unwrapPatientKey(cipher, made), stored: repo.insert(made) }
    },

    /** A statement that returns a key as long as it is not destroyed, and keeps it from that until the transaction ends. */
    held: ({ id, organizationId }: PatientKey) => repo.held(organizationId, id),

    isErased: repo.isErased,
    destroy: repo.destroy
  }
})
