import { Effect, Predicate, Schema, SchemaIssue, SchemaParser } from "effect"

/** A JSON object as it came, of which nothing is known yet. */
export type Members = Readonly<Record<string, unknown>>

/** True for a member that is there: null stands for one that is left out. */
export const isGiven = (member: unknown): boolean => member !== undefined && member !== null

// Far more than any body names; the library asks for a number.
const mostMembers = 1000

/**
 * Reads a body of which only some members count. `counting` leaves out a member that another one wins over: that is not looked
 * at, whatever it is. The public document, where the body has the name `identifier`, shows all members as they are meant.
 */
export const readingOnly = <A extends object>(
  identifier: string,
  body: Schema.Codec<A, unknown>,
  counting: (members: Members) => Members
): Schema.Codec<A, unknown> => {
  const json = Schema.toCodecJson(body)
  // A check of the library's own, because the encoded side keeps only those.
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
