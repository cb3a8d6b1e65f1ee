import { Effect, Predicate, Schema, SchemaIssue, SchemaParser } from "effect"

/** A JSON object before it is decoded. */
export type Members = Readonly<Record<string, unknown>>

/** Whether a member is present. Null means that it is left out. */
export const isGiven = (member: unknown): boolean => member !== undefined && member !== null

// More than any body has. The library requires a number.
const mostMembers = 1000

/** Decodes the members of a body that `counting` leaves, because others override the rest. The public document shows all of them. */
export const readingOnly = <A extends object>(
  identifier: string,
  body: Schema.Codec<A, unknown>,
  counting: (members: Members) => Members
): Schema.Codec<A, unknown> => {
  const json = Schema.toCodecJson(body)
  // It is a check of the library, because the encoded side keeps no others.
  const inDocument = Schema.isMaxProperties(mostMembers, {
    representation: { id: "@care/domain/http/readingOnly", payload: null, schemas: [Schema.toEncoded(json).ast] },
    toJsonSchema: ({ schemas: [members = {}] }) => members
  })
  return Schema.declareConstructor<A, Schema.Json>()(
    [json],
    ([whole]) => {
      const read = SchemaParser.decodeUnknownEffect(whole)
      return (input, ast, options) =>
        Predicate.isObject(input)
          ? read(counting(input), options)
          : Effect.fail(new SchemaIssue.InvalidType(ast, input, options))
    },
    { expected: "an object", toCodecJson: () => undefined }
  )
    .check(inDocument)
    .annotate({ identifier })
}
