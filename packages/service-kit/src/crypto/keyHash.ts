import { createHash } from "node:crypto"

/** SHA3-512 in hex of a key or token that we made: the only form in which they are stored, cached and compared. */
export const keyHash = (key: string): string => createHash("sha3-512").update(key).digest("hex")
