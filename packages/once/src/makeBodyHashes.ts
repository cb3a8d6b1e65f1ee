import type { PhiCipher } from "@care/phi"
import { Effect } from "effect"
import { bodyHash } from "./bodyHash.ts"

const purpose = "care idempotency body hash"

/**
 * Makes and compares the stored hashes of bodies: `<id of a key in PHI_KEY>:<hash>`, with a key derived from that one. The first key of
 * `PHI_KEY` makes new hashes. After a rotation a body is compared with the key of its stored hash.
 */
export const makeBodyHashes = ({ deriveKey, keyIds }: PhiCipher["Service"]) => {
  const hashOf = (body: unknown, keyId?: string) => {
    const { bytes, id } = deriveKey(purpose, keyId)
    return Effect.map(bodyHash(bytes, body), (hash) => `${id}:${hash}`)
  }
  return {
    hashOf: (body: unknown) => hashOf(body),
    /** Whether a stored hash can be compared: its key may have been removed from `PHI_KEY`. */
    isComparable: (kept: string) => keyIds.includes(kept.slice(0, kept.indexOf(":"))),
    /** Whether a stored hash belongs to the body. `current` is the hash of the body with the first key. */
    isHashOf: (kept: string, current: string, body: unknown) => {
      const keyId = kept.slice(0, kept.indexOf(":"))
      return current.startsWith(`${keyId}:`)
        ? Effect.succeed(kept === current)
        : Effect.map(hashOf(body, keyId), (hash) => kept === hash)
    }
  }
}
