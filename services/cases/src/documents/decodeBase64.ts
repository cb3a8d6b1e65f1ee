import { Data, Effect } from "effect"

/** A text is not base64. `reason` quotes nothing of it. */
export class Base64Invalid extends Data.TaggedError("Base64Invalid")<{ readonly reason: string }> {}

const longestPrefix = 255

// No pattern over the whole text: what backtracks over ten million characters exhausts the stack.
const withoutPrefix = (text: string): string | undefined => {
  if (!/^data:/i.test(text)) return text
  const comma = text.slice(0, longestPrefix).indexOf(",")
  const isBase64 = comma !== -1 && text.slice(0, comma).toLowerCase().endsWith(";base64")
  return isBase64 ? text.slice(comma + 1) : undefined
}

// The encoded text alone, or what is wrong with it.
const encodedOf = (text: string): { readonly encoded: string } | { readonly problem: string } => {
  const encoded = withoutPrefix(text.trimStart())?.replace(/[ \t\r\n]+/g, "")
  if (encoded === undefined) return { problem: "must be base64 or a data URL in base64" }
  if (encoded.length % 4 !== 0) return { problem: "must be base64 with its padding" }
  const padding = encoded.endsWith("==") ? 2 : encoded.endsWith("=") ? 1 : 0
  return /[^A-Za-z0-9+/]/.test(encoded.slice(0, encoded.length - padding))
    ? { problem: "must have no characters outside the base64 alphabet" }
    : { encoded }
}

/** True for what `decodeBase64` decodes to at least one byte. */
export const isBase64 = (text: string): boolean => {
  const result = encodedOf(text)
  return "encoded" in result && result.encoded !== ""
}

/**
 * Decodes base64 (the standard alphabet, with its padding), strictly but for white space and a `data:<type>;base64,` in
 * front. Linear in the length of the text.
 */
export const decodeBase64 = (text: string): Effect.Effect<Buffer, Base64Invalid> =>
  Effect.suspend(() => {
    const result = encodedOf(text)
    return "encoded" in result
      ? Effect.succeed(Buffer.from(result.encoded, "base64"))
      : new Base64Invalid({ reason: result.problem })
  })
