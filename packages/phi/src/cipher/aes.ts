import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from "node:crypto"

const authTagLength = 16

/** Encrypts with AES-256-GCM, and authenticates the place with the text. Returns nonce (12 bytes), tag (16) and ciphertext. */
export const encrypt = (key: KeyObject, plain: Uint8Array, place: string): ReadonlyArray<Buffer> => {
  const nonce = randomBytes(12)
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(place))
  const encrypted = [cipher.update(plain), cipher.final()]
  return [nonce, cipher.getAuthTag(), ...encrypted]
}

/** Decrypts what `encrypt` returned. Throws if it was changed, or encrypted for another place. */
export const decrypt = (key: KeyObject, bytes: Buffer, place: string): Buffer => {
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12), { authTagLength })
  decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(12, 28))
  const plain = decipher.update(bytes.subarray(28))
  // Returns nothing in this mode, and throws if the tag is wrong.
  decipher.final()
  return plain
}
