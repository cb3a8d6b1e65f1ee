import { jsonBytes } from "@care/service-kit"
import { Effect, Option, Schema } from "effect"

const decodeText = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.String))

const { backslash, closeBrace, closeBracket, colon, comma, openBrace, openBracket, quote } = jsonBytes

// Some milliseconds of work, after which other fibers run.
const sliceBytes = 512 * 1024

/**
 * Returns the text of a member of a JSON object without parsing the rest, because a large body from an unknown caller would become
 * millions of values. It does not check that the whole body is JSON.
 */
export const textMember = Effect.fnUntraced(function* (json: Buffer, name: string) {
  // Every character of a name may be an escape (`\u006b`).
  const maxNameLength = 6 * name.length + 2
  let depth = 0
  let start: number | undefined
  let isEscaped = false
  let isValue = false
  let member: string | undefined
  let found: string | undefined

  const onText = (from: number, to: number) => {
    if (depth !== 1) return
    const read = () => Option.getOrUndefined(decodeText(json.toString("utf8", from, to)))
    if (!isValue) member = to - from > maxNameLength ? undefined : read()
    else if (member === name) found = read()
  }

  // Returns the position of the quote that ends the text, or `to`.
  const endOfText = (from: number, to: number): number => {
    let escaped = isEscaped
    let at = from
    for (; at < to; at += 1) {
      const byte = json[at]
      if (escaped) escaped = false
      else if (byte === backslash) escaped = true
      else if (byte === quote) break
    }
    isEscaped = escaped
    return at
  }

  const scan = (from: number, to: number) => {
    let at = from
    while (at < to) {
      if (start !== undefined) {
        at = endOfText(at, to)
        if (at === to) return
        onText(start, at + 1)
        start = undefined
      } else {
        const byte = json[at]
        if (byte === quote) start = at
        else if (byte === openBrace || byte === openBracket) depth += 1
        else if (byte === closeBrace || byte === closeBracket) depth -= 1
        else if (depth === 1 && byte === colon) isValue = true
        else if (depth === 1 && byte === comma) isValue = false
      }
      at += 1
    }
  }

  for (let from = 0; from < json.length; from += sliceBytes) {
    if (from > 0) yield* Effect.yieldNow
    scan(from, Math.min(from + sliceBytes, json.length))
  }
  return found
})
