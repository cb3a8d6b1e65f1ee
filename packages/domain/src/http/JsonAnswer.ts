import { Schema, SchemaGetter } from "effect"
import { isStorable, storableOf } from "./Text.ts"

/** How deep arrays and objects may be nested in an answer. */
export const maxAnswerDepth = 32

/** The most values (texts, numbers, arrays, objects, ...) that an answer may consist of. */
export const maxAnswerValues = 10_000

const isLeaf = (value: unknown, isText: (text: string) => boolean): boolean =>
  value === null || typeof value === "boolean" || (typeof value === "string" ? isText(value) : Number.isFinite(value))

// With a list of its own instead of recursion, and with what is still to be looked at counted: the work is bounded
// whatever comes in.
const isJsonOf =
  (isText: (text: string) => boolean) =>
  (root: unknown): root is Schema.Json => {
    let level: ReadonlyArray<unknown> = [root]
    let count = 1
    for (let depth = 0; level.length > 0; depth += 1) {
      const next: Array<unknown> = []
      for (const value of level) {
        if (typeof value !== "object" || value === null) {
          if (!isLeaf(value, isText)) return false
          continue
        }
        const keys = Array.isArray(value) ? [] : Object.keys(value)
        count += Array.isArray(value) ? value.length : keys.length
        if (depth === maxAnswerDepth || count > maxAnswerValues || !keys.every(isText)) return false
        const children: ReadonlyArray<unknown> = Array.isArray(value) ? value : Object.values(value)
        for (const child of children) next.push(child)
      }
      level = next
    }
    return true
  }

/**
 * The answer to a question: any JSON value whose texts and keys PostgreSQL can store, at most `maxAnswerDepth` deep and of
 * at most `maxAnswerValues` values.
 */
export const JsonAnswer = Schema.declare(isJsonOf(isStorable), {
  toCodecJson: () => undefined,
  description: `Any JSON value, at most ${maxAnswerDepth} deep and of at most ${maxAnswerValues} values. What it has to be depends on the type of the question.`,
  message: `must be JSON of at most ${maxAnswerValues} values, at most ${maxAnswerDepth} deep, without NUL or unpaired surrogate characters`
})
export type JsonAnswer = typeof JsonAnswer.Type

const repaired = (value: Schema.Json): Schema.Json => {
  if (typeof value === "string") return storableOf(value)
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map(repaired)
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [storableOf(key), repaired(part)]))
}

/**
 * What an event is about, told by a server that signed it and cannot say it in another way: any JSON value within the same bounds.
 * What PostgreSQL cannot store of its texts is replaced, so that the event takes effect.
 */
export const ToldJson = Schema.declare(
  isJsonOf(() => true),
  {
    toCodecJson: () => undefined,
    description: "What the event is about, as it is then",
    message: `must be JSON of at most ${maxAnswerValues} values, at most ${maxAnswerDepth} deep`
  }
).pipe(
  Schema.decodeTo(JsonAnswer, {
    decode: SchemaGetter.transform(repaired),
    encode: SchemaGetter.passthrough()
  })
)
