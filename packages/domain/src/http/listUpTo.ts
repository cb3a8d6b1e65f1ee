import { Effect, Result, Schema, SchemaIssue, SchemaParser, SchemaTransformation } from "effect"
import { mostMistakes } from "./Mistake.ts"

// Takes anything: in the public document it stands for the elements, which are looked at once their number is known.
const unread = (element: Schema.Constraint) =>
  Schema.declare((_value): _value is unknown => true, { toCodecJson: () => undefined }).check(
    Schema.makeFilter(() => true, {
      representation: { id: "@care/domain/http/listUpTo", payload: null, schemas: [Schema.toEncoded(element).ast] },
      toJsonSchema: ({ schemas: [schema = {}] }) => schema
    })
  )

// As `Schema.Array`, which reads every element of a list of mistakes.
const readList = <A>(element: Schema.Codec<A, Schema.Json>) =>
  Schema.declareConstructor<ReadonlyArray<A>, ReadonlyArray<Schema.Json>>()([element], ([each]) => {
    const read = SchemaParser.decodeUnknownResult(each)
    return (input, ast, options) => {
      if (!Array.isArray(input)) return Effect.fail(new SchemaIssue.InvalidType(ast, input, options))
      const list: Array<A> = []
      const issues: Array<SchemaIssue.Issue> = []
      for (const [index, value] of input.entries()) {
        const result = read(value, options)
        if (Result.isSuccess(result)) list.push(result.success)
        else issues.push(new SchemaIssue.Pointer([index], result.failure))
        if (issues.length > 0 && (options.errors !== "all" || issues.length === mostMistakes)) break
      }
      const [first, ...others] = issues
      return first === undefined
        ? Effect.succeed(list)
        : Effect.fail(new SchemaIssue.Composite(ast, [first, ...others], input, options))
    }
  })

/** How many elements a list may have, and what is said of one that has more (`most`) or fewer (`least`). */
interface ListBounds {
  readonly max: number
  readonly most: string
  readonly min?: number
  readonly least?: string
}

/**
 * A list of a request in JSON: its number of elements is checked before any of them is read, and of very many mistakes only
 * the first are collected, so that the work is bounded whatever comes in.
 */
export const listUpTo = <A>(
  element: Schema.Codec<A, unknown>,
  { least = "must not be empty", max, min = 0, most }: ListBounds
): Schema.Codec<ReadonlyArray<A>, ReadonlyArray<unknown>> => {
  const json = Schema.toCodecJson(element)
  const short = Schema.Array(unread(json)).check(Schema.isMaxLength(max, { message: most }))
  return (min === 0 ? short : short.check(Schema.isMinLength(min, { message: least }))).pipe(
    Schema.decodeTo(readList(json), SchemaTransformation.passthrough({ strict: false }))
  )
}
