import { type Schema, SchemaIssue } from "effect"
import { type Mistake, mostMistakes } from "./Mistake.ts"
import { RequestInvalid } from "./RequestErrors.ts"
import { blankReason } from "./Text.ts"

/** Why a field is refused that is not there. */
export const missingReason = "Required"

/** Whether a field is refused because it is missing, or has nothing but white space. */
export const isAbsent = ({ reason }: Mistake): boolean => reason === missingReason || reason === blankReason

// Values stay out of messages: they may be health information.
const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => (issue._tag === "MissingKey" ? missingReason : SchemaIssue.defaultLeafHook(issue))
})

type Found = ReturnType<typeof format>["issues"][number]

const mistake = ({ message, path: segments = [] }: Found): Mistake => {
  const path = segments.map((segment) => (typeof segment === "object" ? segment.key : segment)).join(".")
  if (path !== "") return { path, reason: message }
  return { path: "body", reason: message === "Expected a valid JSON body" ? message : "Expected a JSON object" }
}

/** What is wrong with a request: of each field the first thing, of at most `mostMistakes` fields. */
export const requestInvalid = (part: RequestInvalid["part"], error: Schema.SchemaError): RequestInvalid => {
  const byPath = new Map<string, Mistake>()
  for (const found of format(error.issue).issues) {
    const { path, reason } = mistake(found)
    if (byPath.size < mostMistakes && !byPath.has(path)) byPath.set(path, { path, reason })
  }
  const [first = { path: "body", reason: "Invalid" }, ...others] = byPath.values()
  return new RequestInvalid({ part, ...first, others })
}
