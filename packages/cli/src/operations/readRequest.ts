import { Effect } from "effect"
import { wrongUsage } from "../CommandFailed.ts"
import type { WireRequest } from "../callOperation.ts"
import { readAttachment, readJson } from "../readFiles.ts"
import type { DescribedOperation, NamedField } from "./describeOperation.ts"
import type { Field } from "./fieldsOf.ts"

/** What a command line gives. */
export interface Given {
  readonly params: Readonly<Record<string, string>>
  readonly fields: Readonly<Record<string, unknown>>
  readonly removals: Readonly<Record<string, boolean>>
  readonly file?: string
  readonly body?: string | undefined
}

const labelOf = ({ flag, isArgument }: NamedField): string => (isArgument ? `<${flag}>` : `--${flag}`)

/** Returns what people call a field of a request. */
export const labelIn =
  ({ fields }: DescribedOperation) =>
  (path: string): string => {
    const field = fields.find(({ name }) => path === name || path.startsWith(`${name}.`))
    return field === undefined ? path : labelOf(field)
  }

const readValue = (text: string, { kind }: Field): unknown => {
  if (kind === "integer" || kind === "number") return Number(text)
  return kind === "boolean" ? text === "true" : text
}

// `medicine=Finasteride; dosage=1 mg`
const recordOf = (text: string, fields: ReadonlyArray<Field>, label: string) =>
  Effect.forEach(
    text.split(";").filter((part) => part.trim() !== ""),
    (part) => {
      const [name = "", ...rest] = part.split("=")
      const field = fields.find((each) => each.name === name.trim())
      return field === undefined || rest.length === 0
        ? wrongUsage(
            `${label}: ${part.trim()} is not <field>=<value>, with a field of ${fields.map((each) => each.name).join(", ")}`
          )
        : Effect.succeed([field.name, readValue(rest.join("=").trim(), field)] as const)
    }
  ).pipe(Effect.map(Object.fromEntries))

const readField = Effect.fnUntraced(function* (field: NamedField, { fields, removals }: Given) {
  const value = fields[field.name]
  if (removals[field.name] !== true) {
    const texts = Array.isArray(value) ? value.map(String) : []
    if (field.kind === "files" && texts.length > 0) return yield* Effect.forEach(texts, readAttachment)
    if (field.kind !== "records") return value
    const records = yield* Effect.forEach(texts, (text) => recordOf(text, field.fields, labelOf(field)))
    return records.length > 0 || field.isRequired ? records : undefined
  }
  if (value === undefined) return null
  return yield* wrongUsage(`Pass either ${labelOf(field)} or --${field.removal}`)
})

type Entry = readonly [name: string, value: unknown]

const nest = (base: Readonly<Record<string, unknown>>, entries: ReadonlyArray<Entry>) => {
  const body: Record<string, unknown> = { ...base }
  for (const [path, value] of entries) {
    const [outer = "", inner] = path.split(".")
    body[outer] = inner === undefined ? value : { ...Object(body[outer]), [inner]: value }
  }
  return body
}

const pageSize = 100

/** Makes the request of an operation from what the command line gives. */
export const readRequest = Effect.fnUntraced(function* (operation: DescribedOperation, given: Given) {
  const { fields, file, fixed = {}, isChange } = operation
  const read = yield* Effect.forEach(fields, (field) =>
    Effect.map(readField(field, given), (value) => ({ field, value }))
  )
  const base = given.body === undefined ? {} : yield* readJson(given.body)
  const part = (name: Field["part"]): ReadonlyArray<Entry> =>
    read.flatMap(({ field, value }) => (field.part === name && value !== undefined ? [[field.name, value]] : []))
  const missing = read.flatMap(
    ({ field, value }): ReadonlyArray<Entry> =>
      field.kind === "boolean" && field.isRequired && value === undefined && !(field.name in base)
        ? [[field.name, false]]
        : []
  )
  const ofFile =
    given.file === undefined ? {} : file === "body" ? yield* readJson(given.file) : yield* readAttachment(given.file)
  const body = nest({ ...base, ...ofFile, ...fixed }, [...missing, ...part("body")])
  if (isChange && Object.keys(body).length === 0) {
    const flags = fields.flatMap((field) => [
      labelOf(field),
      ...(field.removal === undefined ? [] : [`--${field.removal}`])
    ])
    return yield* wrongUsage(`Pass what to change: ${flags.join(", ")}`)
  }
  const query = Object.fromEntries(part("query").map(([name, value]) => [name, String(value)]))
  const isPaged = fields.some(({ name, part: where }) => where === "query" && name === "cursor")
  const request: WireRequest = {
    params: given.params,
    query: isPaged ? { limit: String(pageSize), ...query } : query,
    body
  }
  return request
})
