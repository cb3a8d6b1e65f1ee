import * as jsonBytes from "./jsonBytes.ts"

// Constants of this module, because a test runner rewrites an import into a look-up, which would run for each byte.
const { backslash, closeBrace, closeBracket, comma, openBrace, openBracket, quote } = jsonBytes

export const maxJsonDepth = 32

/** The maximum of values in JSON from outside, including those in arrays and objects. */
export const maxJsonValues = 120_000

/**
 * Counts the depth and the values of JSON before it is parsed: megabytes of text may have millions of values, which block the process while
 * they are made. It reads UTF-8 piece by piece, and counts the brackets and commas before values. It does not check that the text is JSON.
 */
export class JsonScan {
  private depth = 0
  private values = 1
  private isInText = false
  private isEscaped = false

  /** Reads the next bytes. Returns what is wrong with the JSON so far, or undefined. */
  read(bytes: Uint8Array): string | undefined {
    // One plain loop: calls and iterators for each byte would make this ten times slower.
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at]
      if (this.isInText) {
        if (this.isEscaped) this.isEscaped = false
        else if (byte === backslash) this.isEscaped = true
        else if (byte === quote) this.isInText = false
      } else if (byte === quote) {
        this.isInText = true
      } else if (byte === openBracket || byte === openBrace) {
        this.depth += 1
        this.values += 1
        if (this.depth > maxJsonDepth) return `must be nested at most ${maxJsonDepth} deep`
      } else if (byte === closeBracket || byte === closeBrace) {
        this.depth -= 1
      } else if (byte === comma) {
        this.values += 1
        if (this.values > maxJsonValues) return `must have at most ${maxJsonValues} values`
      }
    }
    return undefined
  }
}
