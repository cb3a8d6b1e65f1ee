import * as jsonBytes from "./jsonBytes.ts"

// Constants of this module: an import that a test runner has rewritten is looked up again for each byte.
const { backslash, closeBrace, closeBracket, comma, openBrace, openBracket, quote } = jsonBytes

/** How deep arrays and objects may be in one another in JSON from outside. */
export const deepestJson = 32

/** How many values JSON from outside may have, those in arrays and objects included. */
export const mostJsonValues = 120_000

/**
 * Looks at JSON before it is parsed: text of megabytes becomes millions of values, which block the process while they are
 * made. It takes the bytes of UTF-8 piece by piece and does not say whether they are JSON at all. A value has a bracket or
 * a comma before it, so that these are counted.
 */
export class JsonScan {
  private depth = 0
  private values = 1
  private isInText = false
  private isEscaped = false

  /** What is wrong with the JSON as far as it is known, or undefined. */
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
        if (this.depth > deepestJson) return `must be nested at most ${deepestJson} deep`
      } else if (byte === closeBracket || byte === closeBrace) {
        this.depth -= 1
      } else if (byte === comma) {
        this.values += 1
        if (this.values > mostJsonValues) return `must have at most ${mostJsonValues} values`
      }
    }
    return undefined
  }
}
