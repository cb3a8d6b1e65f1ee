import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto"
import { Context, Effect, Layer, Redacted } from "effect"
import { BootError } from "../config/BootError.ts"
import { secret } from "../config/settings.ts"

const authTagLength = 16

/** A key derived from one of `PHI_KEY`, and the id of the one it was derived from. */
export interface DerivedKey {
  readonly id: string
  readonly bytes: Buffer
}

const form = /^[A-Za-z0-9_-]{1,20}:[A-Za-z0-9+/]{43}=$/

/**
 * Encrypts protected health information at rest with AES-256-GCM. A sealed value is
 * `<key id>:<base64 of nonce (12), tag (16) and ciphertext>`, so keys can rotate: the first of `PHI_KEY` seals, all open.
 */
export class PhiCipher extends Context.Service<
  PhiCipher,
  {
    readonly seal: (plain: string) => string
    /** Opens a sealed value; throws, as a defect, when it was tampered with or its key is gone. */
    readonly open: (sealed: string) => string
    /** Seals bytes: length of the key id (1), key id, nonce (12), tag (16), ciphertext. Opens only with the same `boundTo`. */
    readonly sealBytes: (plain: Uint8Array, boundTo: string) => Buffer
    readonly openBytes: (sealed: Uint8Array, boundTo: string) => Buffer
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

const makePhiCipher = (entries: ReadonlyArray<string>): PhiCipher["Service"] => {
  const keys = new Map(
    entries.map((entry) => {
      const [id = "", key = ""] = entry.split(":")
      return [id, Buffer.from(key, "base64")] as const
    })
  )
  const sealingId = (entries[0] ?? "").split(":")[0] ?? ""

  const keyOf = (id: string): Buffer => {
    const key = keys.get(id)
    if (key === undefined) throw new Error(`PHI_KEY has no key with the id ${id}`)
    return key
  }

  return {
    seal: (plain) => {
      const nonce = randomBytes(12)
      const cipher = createCipheriv("aes-256-gcm", keyOf(sealingId), nonce)
      const sealed = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()])
      return `${sealingId}:${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64")}`
    },
    open: (sealed) => {
      const [id = "", content = ""] = sealed.split(":")
      const bytes = Buffer.from(content, "base64")
      const decipher = createDecipheriv("aes-256-gcm", keyOf(id), bytes.subarray(0, 12), { authTagLength })
      decipher.setAuthTag(bytes.subarray(12, 28))
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8")
    },
    sealBytes: (plain, boundTo) => {
      const id = Buffer.from(sealingId)
      const nonce = randomBytes(12)
      const cipher = createCipheriv("aes-256-gcm", keyOf(sealingId), nonce).setAAD(Buffer.from(boundTo))
      const sealed = [cipher.update(plain), cipher.final()]
      return Buffer.concat([Buffer.of(id.length), id, nonce, cipher.getAuthTag(), ...sealed])
    },
    openBytes: (sealed, boundTo) => {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
      const nonceAt = 1 + (bytes[0] ?? 0)
      const key = keyOf(bytes.toString("utf8", 1, nonceAt))
      const nonce = bytes.subarray(nonceAt, nonceAt + 12)
      const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength })
      decipher.setAAD(Buffer.from(boundTo)).setAuthTag(bytes.subarray(nonceAt + 12, nonceAt + 28))
      const plain = decipher.update(bytes.subarray(nonceAt + 28))
      // Of this mode nothing is left for the end, which only throws when the tag does not fit.
      decipher.final()
      return plain
    },
    deriveKey: (purpose, id = sealingId) => ({ id, bytes: Buffer.from(hkdfSync("sha256", keyOf(id), "", purpose, 32)) })
  }
}
