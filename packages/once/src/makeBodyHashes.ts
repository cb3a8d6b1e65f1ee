import type { PhiCipher } from "@care/phi"
import { Effect } from "effect"
import { bodyHash } from "./bodyHash.ts"

const purpose = "care idempotency body hash"

/**
 * Hashes of bodies as they are kept: `<id of the key in PHI_KEY>:<hash>`, under a key derived from it. The first of
 * `PHI_KEY` hashes; after a rotation a body is compared under the one that its hash was kept with.
 */
export const makeBodyHashes = ({ deriveKey, keyIds }: PhiCipher["Service"]) => {
  const hashOf = (body: unknown, keyId?: string) => {
    const { bytes, id } = deriveKey(purpose, keyId)
    return Effect.map(bodyHash(bytes, body), (hash) => `${id}:${hash}`)
  }
  return {
    hashOf: (body: unknown) => hashOf(body),
    /** Whether a kept hash can be compared: its key may have been taken out of `PHI_KEY`. */
    isComparable: (kept: string) => keyIds.includes(kept.slice(0, kept.indexOf(":"))),
    /** Whether a kept hash is of the body, whose hash as of today is `current`. */
    isHashOf: (kept: string, current: string, body: unknown) => {
      const keyId = kept.slice(0, kept.indexOf(":"))
      return current.startsWith(`${keyId}:`)
        ? Effect.succeed(kept === current)
        : Effect.map(hashOf(body, keyId), (hash) => kept === hash)
    }
  }
}
