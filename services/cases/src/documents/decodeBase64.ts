import { Data, Effect } from "effect"

/** A text is not base64. `reason` quotes nothing of it. */
export class Base64Invalid extends Data.TaggedError("Base64Invalid")<{ readonly reason: string }> {}

const maxPrefixLength = 255

// Other fibers run after each slice.
const sliceLength = 256 * 1024

// Returns where the encoded text begins. A pattern over the whole text could backtrack over ten million characters and exhaust the stack.
const startOf = (text: string): number | undefined => {
  const start = text.length - text.trimStart().length
  if (!/^data:/i.test(text.slice(start, start + 5))) return start
  const comma = text.slice(start, start + maxPrefixLength).indexOf(",")
  const isBase64 =
    comma !== -1 &&
    text
      .slice(start, start + comma)
      .toLowerCase()
      .endsWith(";base64")
  return isBase64 ? start + comma + 1 : undefined
}

const isOfAlphabet = (text: string): boolean => !/[^A-Za-z0-9+/]/.test(text)

const outsideAlphabet = "must have no characters outside the base64 alphabet"

// Only the end of the text may have padding.
const problemOfEnd = (end: string): string | undefined => {
  if (end.length % 4 !== 0) return "must be base64 with its padding"
  const padding = end.endsWith("==") ? 2 : end.endsWith("=") ? 1 : 0
  return isOfAlphabet(end.slice(0, end.length - padding)) ? undefined : outsideAlphabet
}

/**
 * Decodes base64 (the standard alphabet, with its padding) strictly, but for white space and a leading `data:<type>;base64,`. Takes time
 * linear in the length of the text.
 */
export const decodeBase64 = Effect.fnUntraced(function* (text: string): Effect.fn.Return<Buffer, Base64Invalid> {
  const start = startOf(text)
  if (start === undefined) return yield* new Base64Invalid({ reason: "must be base64 or a data URL in base64" })
  const decoded: Array<Buffer> = []
  let pending = ""
  for (let offset = start; offset < text.length; offset += sliceLength) {
    if (offset > start) yield* Effect.yieldNow
    pending += text.slice(offset, offset + sliceLength).replace(/[ \t\r\n]+/g, "")
    // Four characters belong together, and the last four may end in padding.
    const end = Math.max(0, pending.length - 4 - (pending.length % 4))
    const complete = pending.slice(0, end)
    if (!isOfAlphabet(complete)) return yield* new Base64Invalid({ reason: outsideAlphabet })
    decoded.push(Buffer.from(complete, "base64"))
    pending = pending.slice(end)
  }
  const problem = problemOfEnd(pending)
  if (problem !== undefined) return yield* new Base64Invalid({ reason: problem })
  return Buffer.concat([...decoded, Buffer.from(pending, "base64")])
})
