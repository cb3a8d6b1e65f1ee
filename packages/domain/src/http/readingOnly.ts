import { Effect, Predicate, Schema, SchemaIssue, SchemaParser } from "effect"

/** A JSON object before it is decoded. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Returns whether a member is present. Null means that it is left out. */
export const isPresent = (member: unknown): boolean => member !== undefined && member !== null

// More members than any body has. The library requires a number.
const maxMembers = 1000

/** Decodes only the members of a body that `relevantMembers` returns, because they override the others. The public document shows all. */
export const readingOnly = <A extends object>(
  identifier: string,
  body: Schema.Codec<A, unknown>,
  relevantMembers: (members: JsonObject) => JsonObject
): Schema.Codec<A, unknown> => {
  const json = Schema.toCodecJson(body)
  // It is a check of the library, because the encoded side keeps no others.
  const inDocument = Schema.isMaxProperties(maxMembers, {
    representation: { id: "@care/domain/http/readingOnly", payload: null, schemas: [Schema.toEncoded(json).ast] },
    toJsonSchema: ({ schemas: [members = {}] }) => members
  })
  return Schema.declareConstructor<A, Schema.Json>()(
    [json],
    ([whole]) => {
      const read = SchemaParser.decodeUnknownEffect(whole)
      return (input, ast, options) =>
        Predicate.isObject(input)
          ? read(relevantMembers(input), options)
          : Effect.fail(new SchemaIssue.InvalidType(ast, input, options))
    },
    { expected: "an object", toCodecJson: () => undefined }
  )
    .check(inDocument)
    .annotate({ identifier })
}
