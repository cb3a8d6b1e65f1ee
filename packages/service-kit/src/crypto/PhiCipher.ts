import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from "node:crypto"
import { Context, Effect, Layer, Redacted } from "effect"
import { BootError } from "../config/BootError.ts"
import { secret } from "../config/settings.ts"

const authTagLength = 16

/** A key derived from one of `PHI_KEY`, and the id of the one it was derived from. */
interface DerivedKey {
  readonly id: string
  readonly bytes: Buffer
}

const form = /^[A-Za-z0-9_-]{1,20}:[A-Za-z0-9+/]{43}=$/

/**
 * Encrypts protected health information at rest with AES-256-GCM. What is sealed opens only where it was sealed for: its
 * place is authenticated with it. The id of the key is stored beside it, so that keys can rotate: the first of `PHI_KEY`
 * seals, all open. What does not open (changed, moved, its key gone) throws, as a defect: the error says the id of the key
 * and the place up to its first `/`, and nothing else. Columns are sealed by the schema of their row (`sealedRow`).
 */
export class PhiCipher extends Context.Service<
  PhiCipher,
  {
    /** Seals text: `<key id>:<base64 of nonce (12), tag (16) and ciphertext>`. */
    readonly seal: (plain: string, place: string) => string
    readonly open: (sealed: string, place: string) => string
    /** Seals bytes: length of the key id (1), key id, nonce (12), tag (16), ciphertext. */
    readonly sealBytes: (plain: Uint8Array, place: string) => Buffer
    readonly openBytes: (sealed: Uint8Array, place: string) => Buffer
    /**
     * A key of 32 bytes for another purpose (HKDF-SHA-256), from the key that seals or from the one with the id. Throws, as
     * a defect, when there is none with the id.
     */
    readonly deriveKey: (purpose: string, id?: string) => DerivedKey
  }
>()("@care/service-kit/crypto/PhiCipher") {
  /** `PHI_KEY` is a comma-separated list of `<id>:<base64 of 32 bytes>`. */
  static readonly layer = Layer.effect(
    PhiCipher,
    Effect.gen(function* () {
      const entries = Redacted.value(
        yield* secret(
          "PHI_KEY",
          "one or more <id>:<base64 of 32 bytes>, separated by commas, the first of which encrypts"
        )
      ).split(",")
      if (!entries.every((entry) => form.test(entry))) {
        return yield* new BootError({
          message: "PHI_KEY must be a list of <id>:<base64 of 32 bytes>, separated by commas."
        })
      }
      return PhiCipher.of(makePhiCipher(entries))
    })
  )
}

// What was never sealed has something of the value where the id should be: only ids that are known are told.
const unopened = (place: string, id: string, keys: ReadonlyMap<string, KeyObject>): Error => {
  const [name] = place.split("/", 1)
  return new Error(
    keys.has(id)
      ? `${name} does not open with the key ${id}: it was changed, or sealed for another place`
      : `${name} does not open: it was sealed with none of the keys in PHI_KEY (${[...keys.keys()].join(", ")})`
  )
}

const makePhiCipher = (entries: ReadonlyArray<string>): PhiCipher["Service"] => {
  const keys = new Map(
    entries.map((entry) => {
      const [id = "", key = ""] = entry.split(":")
      // Bytes would be made such a key for each value, which takes three times as long as opening it.
      return [id, createSecretKey(key, "base64")] as const
    })
  )
  const sealingId = (entries[0] ?? "").split(":")[0] ?? ""

  const keyOf = (id: string): KeyObject => {
    const key = keys.get(id)
    if (key === undefined) throw new Error(`PHI_KEY has no key with the id ${id}`)
    return key
  }

  const encrypt = (plain: Uint8Array, place: string): ReadonlyArray<Buffer> => {
    const nonce = randomBytes(12)
    const cipher = createCipheriv("aes-256-gcm", keyOf(sealingId), nonce).setAAD(Buffer.from(place))
    const encrypted = [cipher.update(plain), cipher.final()]
    return [nonce, cipher.getAuthTag(), ...encrypted]
  }

  const decrypt = (id: string, bytes: Buffer, place: string): Buffer => {
    try {
      const decipher = createDecipheriv("aes-256-gcm", keyOf(id), bytes.subarray(0, 12), { authTagLength })
      decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(12, 28))
      const plain = decipher.update(bytes.subarray(28))
      // Of this mode nothing is left for the end, which only throws when the tag does not fit.
      decipher.final()
      return plain
    } catch {
      throw unopened(place, id, keys)
    }
  }

  return {
    seal: (plain, place) => `${sealingId}:${Buffer.concat(encrypt(Buffer.from(plain), place)).toString("base64")}`,
    open: (sealed, place) => {
      const [id = "", content = ""] = sealed.split(":")
      return decrypt(id, Buffer.from(content, "base64"), place).toString("utf8")
    },
    sealBytes: (plain, place) => {
      const id = Buffer.from(sealingId)
      return Buffer.concat([Buffer.of(id.length), id, ...encrypt(plain, place)])
    },
    openBytes: (sealed, place) => {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
      const idEnd = 1 + (bytes[0] ?? 0)
      return decrypt(bytes.toString("utf8", 1, idEnd), bytes.subarray(idEnd), place)
    },
    deriveKey: (purpose, id = sealingId) => ({ id, bytes: Buffer.from(hkdfSync("sha256", keyOf(id), "", purpose, 32)) })
  }
}
