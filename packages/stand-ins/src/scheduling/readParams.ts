import { Result, Schema, SchemaIssue } from "effect"
import { invalid } from "./Refusal.ts"

// Checks have messages of their own. For other issues the kind gives the message.
const messages = new Map([
  ["MissingKey", "is missing"],
  ["UnexpectedKey", "is not known"],
  ["InvalidType", "is of another type"]
])

const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => messages.get(issue._tag) ?? SchemaIssue.defaultLeafHook(issue)
})

/** Decodes parameters, or refuses all wrong ones together. */
export const readParams = <A, E>(schema: Schema.Codec<A, E>, input: unknown): A => {
  const read = Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })(input)
  if (Result.isSuccess(read)) return read.success
  const details = format(read.failure.issue).issues.map(({ message, path = [] }) => ({
    parameter: path.map((part) => String(typeof part === "object" ? part.key : part)).join("."),
    message
  }))
  throw invalid(...details)
}
