import { type Schema, SchemaIssue } from "effect"
import { RequestInvalid } from "./RequestErrors.ts"

// Values stay out of messages: they may be health information.
const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => (issue._tag === "MissingKey" ? "Required" : SchemaIssue.defaultLeafHook(issue))
})

/** The first thing that is wrong with a request, as `<path>, <reason>`. */
export const requestInvalid = (part: RequestInvalid["part"], error: Schema.SchemaError): RequestInvalid => {
  const issue = format(error.issue).issues[0]
  const path = (issue?.path ?? []).map((segment) => (typeof segment === "object" ? segment.key : segment)).join(".")
  if (path !== "") return new RequestInvalid({ part, path, reason: issue?.message ?? "Invalid" })
  const isUnparsable = issue?.message === "Expected a valid JSON body"
  return new RequestInvalid({ part, path: "body", reason: isUnparsable ? issue.message : "Expected a JSON object" })
}
