import { randomBytes } from "node:crypto"

// Crockford's base 32: no I, L, O, U.
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

/** A random short id: 8 characters of Crockford base 32. Unique by the database's index, not by itself. */
export const makeShortId = (): string => Array.from(randomBytes(8), (byte) => alphabet[byte % 32]).join("")
