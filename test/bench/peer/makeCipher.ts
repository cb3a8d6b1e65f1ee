import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from "node:crypto"

export type Cipher = ReturnType<typeof makeCipher>

/**
 * Seals values as JSON with AES-256-GCM, each for the table, column and row that it is stored in, in the suite's form: id
 * of the key, nonce, tag and ciphertext.
 */
export const makeCipher = (phiKey: string) => {
  const [id = "", encoded = ""] = phiKey.split(":")
  const key = createSecretKey(encoded, "base64")
  const place = (column: string, organizationId: string, rowId: string) =>
    Buffer.from(`${column}/${JSON.stringify([organizationId, rowId])}`)

  return {
    seal: (value: unknown, column: string, organizationId: string, rowId: string): string => {
      const nonce = randomBytes(12)
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(place(column, organizationId, rowId))
      const sealed = [cipher.update(JSON.stringify(value), "utf8"), cipher.final()]
      return `${id}:${Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]).toString("base64")}`
    },
    open: (sealed: string, column: string, organizationId: string, rowId: string): unknown => {
      const bytes = Buffer.from(sealed.slice(id.length + 1), "base64")
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12), { authTagLength: 16 })
      decipher.setAAD(place(column, organizationId, rowId)).setAuthTag(bytes.subarray(12, 28))
      const plain = decipher.update(bytes.subarray(28))
      decipher.final()
      return JSON.parse(plain.toString("utf8"))
    }
  }
}
