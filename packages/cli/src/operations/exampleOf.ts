import type { DescribedOperation } from "./describeOperation.ts"
import type { Field } from "./fieldsOf.ts"

const id = "3b241101-e2bb-4255-8caf-4136c566a962"

const exampleValue = (field: Field, name: string): string => {
  switch (field.kind) {
    case "id":
      return id
    case "choice":
      return field.choices[0] ?? ""
    case "moment":
      return "2026-01-31T00:00:00Z"
    case "integer":
    case "number":
      return "20"
    case "boolean":
      return "true"
    case "texts":
      return field.name.endsWith("Ids") ? id : "CA,NY"
    case "files":
      return "file.pdf"
    case "records":
      return `"${field.fields[0]?.name}=..."`
    default:
      return /email$/i.test(field.name) ? "ada@example.com" : `"<${name}>"`
  }
}

/** Returns an example of a command: with its arguments and required flags, or the first flag if none is required. */
export const exampleOf = ({ command, example, fields, file, isFile, params }: DescribedOperation): string => {
  if (example !== undefined) return `${command} ${example}`
  const given = fields.filter(({ isArgument }) => isArgument)
  const flags = fields.filter(({ isArgument, name }) => !isArgument && name !== "limit" && name !== "cursor")
  const required = flags.filter(({ isRequired, kind }) => isRequired && kind !== "boolean")
  return [
    command,
    ...params.map(() => id),
    ...given.map((field) => exampleValue(field, field.flag)),
    ...(file === undefined ? [] : [file === "body" ? "body.json" : "scan.pdf"]),
    ...(required.length > 0 ? required : flags.slice(0, 1)).map(
      (field) => `--${field.flag} ${exampleValue(field, field.flag)}`
    ),
    ...(isFile ? ["--output file"] : [])
  ].join(" ")
}
