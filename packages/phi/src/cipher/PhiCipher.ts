import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from "node:crypto"
import { type SecretList, secret, secretListOf, secretSetting } from "@care/service-kit"
import { Context, Effect, Layer, Redacted } from "effect"

const authTagLength = 16

// AES-256-GCM, with the place as additional data: nonce (12 bytes), tag (16) and ciphertext.
const encrypt = (key: KeyObject, plain: Uint8Array, place: string): ReadonlyArray<Buffer> => {
  const nonce = randomBytes(12)
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(place))
  const encrypted = [cipher.update(plain), cipher.final()]
  return [nonce, cipher.getAuthTag(), ...encrypted]
}

// Throws if the bytes were changed, or encrypted for another place.
const decrypt = (key: KeyObject, bytes: Buffer, place: string): Buffer => {
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12), { authTagLength })
  decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(12, 28))
  const plain = decipher.update(bytes.subarray(28))
  // Returns nothing in this mode, and throws if the tag is wrong.
  decipher.final()
  return plain
}

/** The data key of a patient. The secret is null if the key was destroyed. */
interface DataKey {
  readonly id: string
  readonly secret: KeyObject | null
}

/** The data keys that a sealed value may need, by their ids. */
export type DataKeys = ReadonlyMap<string, DataKey>

export const phiKeySetting = secretSetting(
  "PHI_KEY",
  "one or more <id>:<base64 of 32 bytes>, separated by commas, the first of which encrypts",
  "one or more keys, separated by commas (`<id>:<base64 of 32 bytes>`). The first encrypts the data keys of patients, and data that belongs to no patient; all decrypt (`care keys rotate`). It also keys the hashes of request bodies with idempotency keys"
)

const keyForm = /^[A-Za-z0-9_-]{1,20}:[A-Za-z0-9+/]{43}=$/
const phiKeys = secretListOf("<id>:<base64 of 32 bytes>", (entry) => keyForm.test(entry))

const noDataKeys: DataKeys = new Map()

/**
 * Encrypts protected health information at rest with AES-256-GCM. A sealed value opens only in its place (table, column and row). It has the
 * id of its key, so that keys can rotate: the first key of `PHI_KEY` seals, and all of them open. A data key, if one is given, is used
 * instead. Opening returns undefined if the data key was destroyed. It throws, as a defect, if the value was changed or moved, or its key is
 * unknown; the error has only the key's id and the place up to its first `/`. Columns are sealed by `sealedRow`.
 */
export class PhiCipher extends Context.Service<
  PhiCipher,
  {
    /** The ids of the keys in `PHI_KEY`. The first one seals. */
    readonly keyIds: readonly [sealing: string, ...others: ReadonlyArray<string>]
    /** Seals text: `<key id>:<base64 of nonce (12), tag (16) and ciphertext>`. A destroyed key seals nothing that could be opened. */
    readonly seal: (plain: string, place: string, key?: DataKey) => string
    readonly open: {
      (sealed: string, place: string): string
      (sealed: string, place: string, keys: DataKeys | undefined): string | undefined
    }
    /** Seals bytes: length of the key id (1), key id, nonce (12), tag (16), ciphertext. */
    readonly sealBytes: (plain: Uint8Array, place: string, key?: DataKey) => Buffer
    readonly openBytes: {
      (sealed: Uint8Array, place: string): Buffer
      (sealed: Uint8Array, place: string, keys: DataKeys | undefined): Buffer | undefined
    }
    /** Derives a key of 32 bytes for another purpose (HKDF-SHA-256) from the key with the id, or from the sealing key. */
    readonly deriveKey: (purpose: string, id?: string) => { readonly id: string; readonly bytes: Buffer }
  }
>()("@care/phi/cipher/PhiCipher") {
  static readonly layer = Layer.effect(
    PhiCipher,
    Effect.gen(function* () {
      return PhiCipher.of(makePhiCipher(yield* secret(phiKeySetting, phiKeys)))
    })
  )
}

export const keyIdOf = (sealed: string): string => sealed.slice(0, Math.max(sealed.indexOf(":"), 0))

export const keyIdOfBytes = (sealed: Uint8Array): string =>
  Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength).toString("utf8", 1, 1 + (sealed[0] ?? 0))

// Names only known ids: in a value that was never sealed, a part of the value is in the place of the id.
const cannotOpen = (place: string, id: string, phiKeys: ReadonlyMap<string, KeyObject>, dataKeys: DataKeys): Error => {
  const [name] = place.split("/", 1)
  return new Error(
    phiKeys.has(id) || dataKeys.has(id)
      ? `${name} does not open with the key ${id}: it was changed, or sealed for another place`
      : `${name} does not open: it was sealed with none of the keys in PHI_KEY (${[...phiKeys.keys()].join(", ")})`
  )
}

const makePhiCipher = (secrets: SecretList): PhiCipher["Service"] => {
  const entries = secrets.map((entry) => {
    const [id = "", key = ""] = Redacted.value(entry).split(":")
    // A key object: Node would make one of raw bytes for each value, which takes three times as long as opening it.
    return [id, createSecretKey(key, "base64")] as const
  })
  const keys = new Map(entries)
  const [sealingId = "", ...otherIds] = keys.keys()

  const keyOf = (id: string): KeyObject => {
    const key = keys.get(id)
    if (key === undefined) throw new Error(`PHI_KEY has no key with the id ${id}`)
    return key
  }
  const sealingKey: DataKey = { id: sealingId, secret: keyOf(sealingId) }

  const decryptWith = (id: string, content: () => Buffer, place: string, dataKeys: DataKeys): Buffer | undefined => {
    const dataKey = dataKeys.get(id)
    if (dataKey?.secret === null) return undefined
    try {
      return decrypt(dataKey?.secret ?? keyOf(id), content(), place)
    } catch {
      throw cannotOpen(place, id, keys, dataKeys)
    }
  }

  function open(sealed: string, place: string): string
  function open(sealed: string, place: string, dataKeys: DataKeys | undefined): string | undefined
  function open(sealed: string, place: string, dataKeys: DataKeys = noDataKeys): string | undefined {
    const id = keyIdOf(sealed)
    const content = () => Buffer.from(sealed.slice(id.length + 1), "base64")
    return decryptWith(id, content, place, dataKeys)?.toString("utf8")
  }

  function openBytes(sealed: Uint8Array, place: string): Buffer
  function openBytes(sealed: Uint8Array, place: string, dataKeys: DataKeys | undefined): Buffer | undefined
  function openBytes(sealed: Uint8Array, place: string, dataKeys: DataKeys = noDataKeys): Buffer | undefined {
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
    const content = () => bytes.subarray(1 + (bytes[0] ?? 0))
    return decryptWith(keyIdOfBytes(sealed), content, place, dataKeys)
  }

  return {
    keyIds: [sealingId, ...otherIds],
    seal: (plain, place, key = sealingKey) =>
      key.secret === null
        ? `${key.id}:`
        : `${key.id}:${Buffer.concat(encrypt(key.secret, Buffer.from(plain), place)).toString("base64")}`,
    open,
    sealBytes: (plain, place, key = sealingKey) => {
      const id = Buffer.from(key.id)
      return Buffer.concat([
        Buffer.of(id.length),
        id,
        ...(key.secret === null ? [] : encrypt(key.secret, plain, place))
      ])
    },
    openBytes,
    deriveKey: (purpose, id = sealingId) => ({ id, bytes: Buffer.from(hkdfSync("sha256", keyOf(id), "", purpose, 32)) })
  }
}
