import { hash } from "node:crypto"

/** Returns the SHA3-512 of a key or token that we made, in hex. They are stored, cached and compared in no other form. */
export const keyHash = (key: string): string => hash("sha3-512", key)
