import { Result, Schema, SchemaIssue } from "effect"
import { invalid, type Refusal } from "./Refusal.ts"
import type { ParsedForm } from "./readForm.ts"

// The kind of an issue decides the error; the message of a check is the code of its error.
const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => (issue._tag === "InvalidValue" ? SchemaIssue.defaultLeafHook(issue) : issue._tag)
})

const bracketed = ([first, ...rest]: ReadonlyArray<string>): string =>
  `${first}${rest.map((part) => `[${part}]`).join("")}`

const valueAt = (form: ParsedForm, path: ReadonlyArray<string>): string => {
  let value: string | ParsedForm | undefined = form
  for (const part of path) value = typeof value === "object" ? value[part] : undefined
  return typeof value === "string" ? value : JSON.stringify(value)
}

const refusal = (message: string, param: string, value: string): Refusal => {
  switch (message) {
    case "UnexpectedKey":
      return invalid(`Received unknown parameter: ${param}`, { code: "parameter_unknown", param })
    case "MissingKey":
      return invalid(`Missing required param: ${param}.`, { code: "parameter_missing", param })
    case "parameter_invalid_integer":
      return invalid(`Invalid integer: ${value}`, { code: message, param })
    case "email_invalid":
      return invalid(`Invalid email address: ${value}`, { code: message, param })
    case "parameter_invalid_empty":
      return invalid(`${param} cannot be unset by an empty text: leave it out, or give it a value.`, {
        code: message,
        param
      })
    default:
      return invalid(`Invalid ${param}: ${value} is none of its values.`, { param })
  }
}

/** Decodes parameters, or refuses the first wrong one as Stripe does. */
export const readParams = <A, E>(schema: Schema.Codec<A, E>, form: ParsedForm): A => {
  const read = Schema.decodeUnknownResult(schema, { onExcessProperty: "error" })(form)
  if (Result.isSuccess(read)) return read.success
  const [first] = format(read.failure.issue).issues
  const path = (first?.path ?? []).map((part) => String(typeof part === "object" ? part.key : part))
  throw refusal(first?.message ?? "", bracketed(path), valueAt(form, path))
}
