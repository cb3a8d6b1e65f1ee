import { createHash } from "node:crypto"

/** SHA3-512 of an API key in hex: the only form in which keys are stored, cached and compared. */
export const keyHash = (key: string): string => createHash("sha3-512").update(key).digest("hex")
