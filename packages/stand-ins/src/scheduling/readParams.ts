import { Result, Schema, SchemaIssue } from "effect"
import { invalid } from "./Refusal.ts"

// Checks have their message; of the rest, the kind of leaf says what is wrong.
const said = new Map([
  ["MissingKey", "is missing"],
  ["UnexpectedKey", "is not known"],
  ["InvalidType", "is of another type"]
])

const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => said.get(issue._tag) ?? SchemaIssue.defaultLeafHook(issue)
})

/** What a request says, read by its schema: everything that does not fit is refused together. */
export const readParams = <A, E>(schema: Schema.Codec<A, E>, given: unknown): A => {
  const read = Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })(given)
  if (Result.isSuccess(read)) return read.success
  const details = format(read.failure.issue).issues.map(({ message, path = [] }) => ({
    parameter: path.map((part) => String(typeof part === "object" ? part.key : part)).join("."),
    message
  }))
  throw invalid(...details)
}
