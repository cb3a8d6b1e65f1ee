import { randomBytes } from "node:crypto"

// Crockford's base 32: no I, L, O, U.
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

/** Returns 8 random characters of Crockford base 32. An index of the database keeps short ids unique. */
export const makeShortId = (): string => Array.from(randomBytes(8), (byte) => alphabet[byte % 32]).join("")
