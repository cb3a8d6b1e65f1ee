import { randomBytes } from "node:crypto"

const signs = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

const random = (length: number): string =>
  Array.from(randomBytes(length), (byte) => signs[byte % signs.length]).join("")

/** Returns a new id: `pi_...` */
export const newId = (prefix: string, length = 24): string => `${prefix}_${random(length)}`

/** Returns the client secret of an intent: `pi_..._secret_...` */
export const newSecret = (id: string): string => `${id}_secret_${random(25)}`
