import { Effect, Predicate, Result, Schema, SchemaIssue, SchemaParser } from "effect"
import { counts, lengths } from "./bounds.ts"
import { mostMistakes } from "./Mistake.ts"

// How many keys of one element are named that it may not have.
const mostUnknownKeys = 5

/** How many elements a list may have, what is said of one that has more, and of an empty one that may not be. */
interface ListBounds {
  readonly max: number
  readonly most: string
  readonly least?: string
}

// The first keys of an object that are none of those that it may have: as much of each as anybody needs to find it.
const unknownKeysIn = (value: unknown, keys: ReadonlySet<string>): ReadonlyArray<string> =>
  Predicate.isObject(value)
    ? Object.keys(value)
        .filter((key) => !keys.has(key))
        .slice(0, mostUnknownKeys)
        .map((key) => key.slice(0, lengths.name).toWellFormed())
    : []

/** The bounds of a list that may be empty. */
export const atMost = (kind: keyof typeof counts): ListBounds => ({
  max: counts[kind],
  most: `must be at most ${counts[kind]} ${kind}`
})

const boundedList = <A>(
  element: Schema.Codec<A, unknown>,
  { least, max, most }: ListBounds,
  keys?: ReadonlySet<string>
): Schema.Codec<ReadonlyArray<A>, ReadonlyArray<unknown>> => {
  const json = Schema.toCodecJson(element)
  // Says in the public document what the list is. A check of the library's own, because the encoded side keeps only those.
  const inDocument = Schema.isMaxLength(max, {
    representation: { id: "@care/domain/http/listUpTo", payload: null, schemas: [Schema.toEncoded(json).ast] },
    toJsonSchema: ({ schemas: [items = {}] }) => ({
      type: "array",
      // Not `additionalProperties`, which requests do not have otherwise.
      items: keys === undefined ? items : { ...items, unevaluatedProperties: false },
      ...(least !== undefined && { minItems: 1 }),
      maxItems: max
    })
  })
  return Schema.declareConstructor<ReadonlyArray<A>, ReadonlyArray<Schema.Json>>()(
    [json],
    ([each]) => {
      const read = SchemaParser.decodeUnknownResult(each)
      return (input, ast, options) => {
        if (!Array.isArray(input)) return Effect.fail(new SchemaIssue.InvalidType(ast, input, options))
        if (input.length > max) return Effect.fail(new SchemaIssue.InvalidValue({ message: most }, input, options))
        if (input.length === 0 && least !== undefined) {
          return Effect.fail(new SchemaIssue.InvalidValue({ message: least }, input, options))
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
          if (issues.length > 0 && (options.errors !== "all" || issues.length >= mostMistakes)) break
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

/**
 * A list of a request in JSON. `Schema.Array` reads every element before its length is checked, and of a list of mistakes
 * keeps them all; here the length is checked first and the first mistakes are enough, so that the work is bounded whatever
 * comes in.
 */
export const listUpTo = <A>(element: Schema.Codec<A, unknown>, bounds: ListBounds) => boundedList(element, bounds)

/** A list of a request that may be left out, or be null instead. */
export const optionalListUpTo = <A>(element: Schema.Codec<A, unknown>, bounds: ListBounds) =>
  Schema.optional(boundedList(element, bounds))

/** A list of a request whose elements are objects with no other keys than these: another one is refused by its name. */
export const closedListUpTo = <A>(element: Schema.Codec<A, unknown>, keys: ReadonlyArray<string>, bounds: ListBounds) =>
  boundedList(element, bounds, new Set(keys))
