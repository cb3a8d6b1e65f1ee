import { Schema, SchemaGetter } from "effect"
import { isJsonOf } from "./isJsonOf.ts"
import { isStorable, storableOf } from "./Text.ts"

export const maxAnswerDepth = 32

export const maxAnswerValues = 10_000

const bounds = { maxDepth: maxAnswerDepth, maxValues: maxAnswerValues }

/** The answer to a question: any JSON value within the bounds whose texts and keys PostgreSQL can store. */
export const JsonAnswer = Schema.declare(isJsonOf({ ...bounds, isText: isStorable }), {
  toCodecJson: () => undefined,
  description: `Any JSON value with at most ${maxAnswerDepth} levels and ${maxAnswerValues} values. Its format depends on the type of the question.`,
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
 * The object of another server's event: any JSON value within the same bounds. Characters that PostgreSQL cannot store are replaced, so
 * that the event takes effect, because its sender cannot change what it signed.
 */
export const ExternalJson = Schema.declare(isJsonOf({ ...bounds, isText: () => true }), {
  toCodecJson: () => undefined,
  description: "The object of the event, at the time of the event",
  message: `must be JSON of at most ${maxAnswerValues} values, at most ${maxAnswerDepth} deep`
}).pipe(
  Schema.decodeTo(JsonAnswer, {
    decode: SchemaGetter.transform(repaired),
    encode: SchemaGetter.passthrough()
  })
)
