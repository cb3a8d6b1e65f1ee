import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from "node:crypto"

/** A stored data key of a patient. */
export interface StoredKey {
  readonly id: string
  readonly user_id: string
  readonly wrapped: string
}

/** Seals values as JSON with AES-256-GCM, each for its table, column and row, and opens them. */
export interface Cipher {
  readonly seal: (value: unknown, column: string, organizationId: string, rowId: string) => string
  readonly open: (sealed: string, column: string, organizationId: string, rowId: string) => unknown
}

const sealText = (keyId: string, key: KeyObject, text: string, place: string): string => {
  const nonce = randomBytes(12)
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(place))
  const sealed = [cipher.update(text, "utf8"), cipher.final()]
  return `${keyId}:${Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]).toString("base64")}`
}

const openText = (keyId: string, key: KeyObject, sealed: string, place: string): string => {
  const bytes = Buffer.from(sealed.slice(keyId.length + 1), "base64")
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12), { authTagLength: 16 })
  decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(12, 28))
  const plain = decipher.update(bytes.subarray(28))
  decipher.final()
  return plain.toString("utf8")
}

const cipherWith = (keyId: string, key: KeyObject): Cipher => {
  const place = (column: string, ...row: ReadonlyArray<string>) => `${column}/${JSON.stringify(row)}`
  return {
    seal: (value, column, organizationId, rowId) =>
      sealText(keyId, key, JSON.stringify(value), place(column, organizationId, rowId)),
    open: (sealed, column, organizationId, rowId) =>
      JSON.parse(openText(keyId, key, sealed, place(column, organizationId, rowId)))
  }
}

/** Makes the cipher, with the suite's format: key id, nonce, tag and ciphertext, sealed by `PHI_KEY` or a patient's key. */
export const makeCipher = (phiKey: string) => {
  const [phiKeyId = "", encoded = ""] = phiKey.split(":")
  const key = createSecretKey(encoded, "base64")
  const placeOf = (organizationId: string, userId: string, id: string) =>
    `patient_keys.wrapped/${JSON.stringify([organizationId, userId, id])}`

  return {
    ...cipherWith(phiKeyId, key),

    /** Makes a new key of a patient. */
    newKey: (organizationId: string, userId: string): StoredKey => {
      const id = randomBytes(16).toString("base64url")
      const secret = randomBytes(32).toString("base64")
      return { id, user_id: userId, wrapped: sealText(phiKeyId, key, secret, placeOf(organizationId, userId, id)) }
    },

    /** Returns the cipher with a patient's key. */
    ofPatient: (organizationId: string, { id, user_id, wrapped }: StoredKey): Cipher =>
      cipherWith(id, createSecretKey(openText(phiKeyId, key, wrapped, placeOf(organizationId, user_id, id)), "base64"))
  }
}
