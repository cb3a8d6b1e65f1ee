import { createHash } from "node:crypto"
import { Predicate } from "effect"

const sorted = (_key: string, value: unknown): unknown =>
  Predicate.isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value

/** SHA-256 of a decoded body in hex, the same whatever order its fields came in. */
export const bodyHash = (body: unknown): string =>
  createHash("sha256").update(JSON.stringify(body, sorted)).digest("hex")
