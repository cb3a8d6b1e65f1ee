import { Result, Schema, SchemaIssue } from "effect"

/** What is wrong in what was entered, by the names of the fields: `{ name: "must not be empty" }`. */
export type Mistakes = Readonly<Record<string, string>>

const describe = SchemaIssue.makeFormatterStandardSchemaV1()

// What is undefined is not sent.
const asSent = (entered: unknown): unknown => JSON.parse(JSON.stringify(entered))

/** Reads what a person entered as what an operation of the API takes. It fails with the mistakes. */
export const readEntered = <A>(schema: Schema.Codec<A, unknown>, entered: unknown): Result.Result<A, Mistakes> =>
  Schema.decodeUnknownResult(Schema.toCodecJson(schema))(asSent(entered), { errors: "all" }).pipe(
    Result.mapError(({ issue }) => {
      const { issues } = describe(issue)
      return Object.fromEntries(issues.map(({ message, path = [] }) => [path.join("."), message]))
    })
  )
