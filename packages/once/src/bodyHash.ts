import { createHmac } from "node:crypto"
import type { PhiCipher } from "@care/phi"
import { Effect, Predicate } from "effect"

/** How many UTF-16 code units are hashed at a stretch: a few milliseconds of work. */
const pieceLength = 32 * 1024

/** Objects with more fields are not sorted, because sorting takes more than linear time. */
const maxSortedFields = 10_000

const jsonValueOf = (value: unknown): unknown =>
  Predicate.hasProperty(value, "toJSON") && Predicate.isFunction(value.toJSON) ? value.toJSON() : value

function* fieldsInOrder(value: Readonly<Record<PropertyKey, unknown>>): Generator<unknown> {
  const names = Object.keys(value).filter((name) => value[name] !== undefined)
  yield names.length
  for (const name of names.length <= maxSortedFields ? names.sort() : names) {
    yield name
    yield value[name]
  }
}

// Writes lengths before values, so that different values have different texts. Without recursion, so that no depth exhausts the stack.
function* serialized(body: unknown): Generator<string> {
  const open: Array<Iterator<unknown>> = [[body].values()]
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const { done, value: next } = top.next()
    const value = jsonValueOf(next)
    if (done === true) {
      open.pop()
    } else if (Predicate.isString(value)) {
      yield `"${value.length}:`
      for (let at = 0; at < value.length; at += pieceLength) yield value.slice(at, at + pieceLength)
    } else if (Array.isArray(value)) {
      yield `[${value.length}:`
      open.push(value.values())
    } else if (Predicate.isObject(value)) {
      yield "{"
      open.push(fieldsInOrder(value))
    } else {
      yield `${String(value)};`
    }
  }
}

/** Returns the HMAC-SHA-256 of a decoded body, in hex, whatever the order of its fields. Other fibers run between the pieces of a large body. */
export const bodyHash = Effect.fnUntraced(function* (key: Uint8Array, body: unknown): Effect.fn.Return<string> {
  const hmac = createHmac("sha256", key)
  let piece = ""
  for (const part of serialized(body)) {
    piece += part
    if (piece.length < pieceLength) continue
    hmac.update(piece, "utf16le")
    piece = ""
    yield* Effect.yieldNow
  }
  return hmac.update(piece, "utf16le").digest("hex")
})

const purpose = "care idempotency body hash"

/** Makes and compares stored hashes, `<id of a key in PHI_KEY>:<hash>`. The first key makes new ones; each is compared with its own key. */
export const makeBodyHashes = ({ deriveKey, keyIds }: PhiCipher["Service"]) => {
  const hashOf = (body: unknown, keyId?: string) => {
    const { bytes, id } = deriveKey(purpose, keyId)
    return Effect.map(bodyHash(bytes, body), (hash) => `${id}:${hash}`)
  }
  return {
    hashOf: (body: unknown) => hashOf(body),
    /** Whether a stored hash can be compared: its key may have been removed from `PHI_KEY`. */
    isComparable: (storedHash: string) => keyIds.includes(storedHash.slice(0, storedHash.indexOf(":"))),
    /** Whether a stored hash belongs to the body. `current` is the hash of the body with the first key. */
    isHashOf: (storedHash: string, current: string, body: unknown) => {
      const keyId = storedHash.slice(0, storedHash.indexOf(":"))
      return current.startsWith(`${keyId}:`)
        ? Effect.succeed(storedHash === current)
        : Effect.map(hashOf(body, keyId), (hash) => storedHash === hash)
    }
  }
}
