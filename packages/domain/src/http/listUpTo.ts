import { Effect, Predicate, Result, Schema, SchemaIssue, SchemaParser } from "effect"
import { counts, lengths } from "./bounds.ts"
import { maxMistakes } from "./RequestErrors.ts"

// The maximum number of unknown keys of one element that a message names.
const maxUnknownKeys = 5

/** The maximum number of elements of a list, the message for more, and the message for an empty list if it may not be empty. */
interface ListBounds {
  readonly max: number
  readonly tooManyMessage: string
  readonly emptyMessage?: string
}

// Returns the beginnings of the first unknown keys of an object.
const unknownKeysIn = (value: unknown, keys: ReadonlyArray<string>): ReadonlyArray<string> =>
  Predicate.isObject(value)
    ? Object.keys(value)
        .filter((key) => !keys.includes(key))
        .slice(0, maxUnknownKeys)
        .map((key) => key.slice(0, lengths.name).toWellFormed())
    : []

/** The bounds of a list that may be empty. */
export const atMost = (kind: keyof typeof counts): ListBounds => ({
  max: counts[kind],
  tooManyMessage: `must be at most ${counts[kind]} ${kind}`
})

/**
 * A list of a request in JSON. It checks the length before it reads elements, and stops after `maxMistakes` mistakes, so that the work is
 * bounded. (`Schema.Array` reads every element first, and collects all mistakes.) With `keys`, an element with another key is refused, and
 * the message names that key.
 */
export const listUpTo = <A>(
  element: Schema.Codec<A, unknown>,
  { emptyMessage, max, tooManyMessage }: ListBounds,
  keys?: ReadonlyArray<string>
): Schema.Codec<ReadonlyArray<A>, ReadonlyArray<unknown>> => {
  const json = Schema.toCodecJson(element)
  // Shows the list in the public document. It is a check of the library, because the encoded side keeps no others.
  const inDocument = Schema.isMaxLength(max, {
    representation: { id: "@care/domain/http/listUpTo", payload: null, schemas: [Schema.toEncoded(json).ast] },
    toJsonSchema: ({ schemas: [items = {}] }) => ({
      type: "array",
      // Not `additionalProperties`, which requests do not have otherwise.
      items: keys === undefined ? items : { ...items, unevaluatedProperties: false },
      ...(emptyMessage !== undefined && { minItems: 1 }),
      maxItems: max
    })
  })
  return Schema.declareConstructor<ReadonlyArray<A>, ReadonlyArray<Schema.Json>>()(
    [json],
    ([elementCodec]) => {
      const read = SchemaParser.decodeUnknownResult(elementCodec)
      return (input, ast, options) => {
        if (!Array.isArray(input)) return Effect.fail(new SchemaIssue.InvalidType(ast, input, options))
        if (input.length > max)
          return Effect.fail(new SchemaIssue.InvalidValue({ message: tooManyMessage }, input, options))
        if (input.length === 0 && emptyMessage !== undefined) {
          return Effect.fail(new SchemaIssue.InvalidValue({ message: emptyMessage }, input, options))
        }
        const list: Array<A> = []
        const issues: Array<SchemaIssue.Issue> = []
        for (const [index, value] of input.entries()) {
          const unknownKeys = keys === undefined ? [] : unknownKeysIn(value, keys)
          if (unknownKeys.length > 0) {
            const message = `Unrecognized key(s) in object: ${unknownKeys.join(", ")}`
            issues.push(new SchemaIssue.Pointer([index], new SchemaIssue.InvalidValue({ message }, value, options)))
          }
          const result = read(value, options)
          if (Result.isSuccess(result)) list.push(result.success)
          else issues.push(new SchemaIssue.Pointer([index], result.failure))
          if (issues.length > 0 && (options.errors !== "all" || issues.length >= maxMistakes)) break
        }
        const [first, ...others] = issues
        return first === undefined
          ? Effect.succeed(list)
          : Effect.fail(new SchemaIssue.Composite(ast, [first, ...others], input, options))
      }
    },
    { expected: "an array", toCodecJson: () => undefined }
  ).check(inDocument)
}

/** A list of a request that may be left out or be null. */
export const optionalListUpTo = <A>(element: Schema.Codec<A, unknown>, bounds: ListBounds) =>
  Schema.optional(listUpTo(element, bounds))
