import type { Schema } from "effect"
import { type Mistake, mostMistakes } from "./Mistake.ts"
import { missingReason, mistakesIn } from "./mistakesIn.ts"
import { RequestInvalid } from "./RequestErrors.ts"
import { blankReason } from "./Text.ts"

/** Whether a field is refused because it is missing, or has nothing but white space. */
export const isAbsent = ({ reason }: Mistake): boolean => reason === missingReason || reason === blankReason

/** What is wrong with a request: of each field the first thing, of at most `mostMistakes` fields. */
export const requestInvalid = (part: RequestInvalid["part"], error: Schema.SchemaError): RequestInvalid => {
  const byPath = new Map<string, Mistake>()
  for (const mistake of mistakesIn(error.issue)) {
    if (byPath.size < mostMistakes && !byPath.has(mistake.path)) byPath.set(mistake.path, mistake)
  }
  const [first = { path: "body", reason: "is not valid" }, ...others] = byPath.values()
  return new RequestInvalid({ part, ...first, others })
}
