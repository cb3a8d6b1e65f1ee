import { createHmac } from "node:crypto"
import { Effect, Predicate } from "effect"

/** How much is hashed in one go, in UTF-16 code units: a few milliseconds of work. */
const pieceLength = 32 * 1024

/**
 * How many fields of one object are sorted. Sorting takes more than linear time, so an object with more fields than any
 * sensible body has is hashed in the order it came in.
 */
const mostSorted = 10_000

const plain = (value: unknown): unknown =>
  Predicate.hasProperty(value, "toJSON") && Predicate.isFunction(value.toJSON) ? value.toJSON() : value

function* fieldsInOrder(value: Readonly<Record<PropertyKey, unknown>>): Generator<unknown> {
  const names = Object.keys(value).filter((name) => value[name] !== undefined)
  yield names.length
  for (const name of names.length <= mostSorted ? names.sort() : names) {
    yield name
    yield value[name]
  }
}

// Lengths go before what they count, so that no two values are written alike. A stack instead of recursion, so that no
// depth exhausts the one of the process.
function* written(body: unknown): Generator<string> {
  const open: Array<Iterator<unknown>> = [[body].values()]
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const { done, value: next } = top.next()
    const value = plain(next)
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

/**
 * HMAC-SHA-256 of a decoded body in hex: the same whatever order its fields came in, and nothing that can be found by
 * guessing without the key. Large bodies are hashed in pieces, between which other work goes on.
 */
export const bodyHash = Effect.fnUntraced(function* (key: Uint8Array, body: unknown): Effect.fn.Return<string> {
  const hmac = createHmac("sha256", key)
  let piece = ""
  for (const part of written(body)) {
    piece += part
    if (piece.length < pieceLength) continue
    hmac.update(piece, "utf16le")
    piece = ""
    yield* Effect.yieldNow
  }
  return hmac.update(piece, "utf16le").digest("hex")
})
