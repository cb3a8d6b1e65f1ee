import { hash } from "node:crypto"

/** SHA3-512 in hex of a key or token that we made: the only form in which they are stored, cached and compared. */
export const keyHash = (key: string): string => hash("sha3-512", key)
