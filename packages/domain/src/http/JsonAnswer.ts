import { Schema } from "effect"
import { isStorable } from "./Text.ts"

/** How deep arrays and objects may be nested in an answer. */
export const maxAnswerDepth = 32

/** The most values (texts, numbers, arrays, objects, ...) that an answer may consist of. */
export const maxAnswerValues = 10_000

const isLeaf = (value: unknown): boolean =>
  value === null ||
  typeof value === "boolean" ||
  (typeof value === "string" ? isStorable(value) : Number.isFinite(value))

// With a list of its own instead of recursion, and with what is still to be looked at counted: the work is bounded
// whatever comes in.
const isJson = (root: unknown): root is Schema.Json => {
  let level: ReadonlyArray<unknown> = [root]
  let count = 1
  for (let depth = 0; level.length > 0; depth += 1) {
    const next: Array<unknown> = []
    for (const value of level) {
      if (typeof value !== "object" || value === null) {
        if (!isLeaf(value)) return false
        continue
      }
      const keys = Array.isArray(value) ? [] : Object.keys(value)
      count += Array.isArray(value) ? value.length : keys.length
      if (depth === maxAnswerDepth || count > maxAnswerValues || !keys.every(isStorable)) return false
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
export const JsonAnswer = Schema.declare(isJson, {
  toCodecJson: () => undefined,
  description: `Any JSON value, at most ${maxAnswerDepth} deep and of at most ${maxAnswerValues} values. What it has to be depends on the type of the question.`,
  message: `must be JSON of at most ${maxAnswerValues} values, at most ${maxAnswerDepth} deep, without NUL or unpaired surrogate characters`
})
export type JsonAnswer = typeof JsonAnswer.Type
