import { publicDocument } from "@care/gateway/openapi"

type Schema = Readonly<Record<string, unknown>>

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema?: unknown
  readonly description?: string
}

const json = "application/json"

// The documents are JSON: what is read from them is checked here, not trusted.
const isObject = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value)
const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])
const isParameter = (value: unknown): value is Parameter => isObject(value) && typeof value["name"] === "string"

const schemas = publicDocument.components?.schemas ?? {}

const nameOf = (reference: unknown): string => String(reference).split("/").at(-1) ?? ""

const key = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))

const comment = (text: unknown, indent: string): string =>
  typeof text === "string" && text !== ""
    ? `${indent}/** ${text.replace(/\s+/g, " ").replaceAll("*/", "* /")} */\n`
    : ""

const primitives: Readonly<Record<string, string>> = {
  string: "string",
  number: "number",
  integer: "number",
  boolean: "boolean",
  null: "null"
}

const objectType = (schema: Schema, indent: string): string => {
  const { additionalProperties: others, properties, required } = schema
  if (!isObject(properties)) {
    return `{ readonly [name: string]: ${isObject(others) ? typeOf(others, indent) : "unknown"} }`
  }
  const members = Object.entries(properties).map(([name, member]) => {
    const isRequired = listOf(required).includes(name)
    const type = typeOf(member, `${indent}  `)
    const described = comment(isObject(member) ? member["description"] : undefined, `${indent}  `)
    return `${described}${indent}  readonly ${key(name)}${isRequired ? "" : "?"}: ${type}${isRequired || type === "unknown" ? "" : " | undefined"}\n`
  })
  return members.length === 0 ? "{}" : `{\n${members.join("")}${indent}}`
}

const union = (types: ReadonlyArray<string>): string =>
  types.includes("unknown") ? "unknown" : [...new Set(types)].join(" | ")

/** Returns the TypeScript type of a schema of the document. */
const typeOf = (schema: unknown, indent = ""): string => {
  if (!isObject(schema)) return "unknown"
  const { $ref, allOf, anyOf, const: constant, enum: values, items, oneOf, type } = schema
  if ($ref !== undefined) return nameOf($ref)
  if (constant !== undefined) return JSON.stringify(constant)
  if (Array.isArray(values)) return union(values.map((value) => JSON.stringify(value)))
  const alternatives = anyOf ?? oneOf
  if (Array.isArray(alternatives)) return union(alternatives.map((each) => typeOf(each, indent)))
  if (type === "array") return `ReadonlyArray<${typeOf(items, indent)}>`
  if (type === "object") return objectType(schema, indent)
  if (typeof type === "string") return primitives[type] ?? "unknown"
  if (Array.isArray(allOf)) return allOf.map((each) => typeOf(each, indent)).join(" & ")
  return "unknown"
}

const referencedIn = (value: unknown): ReadonlyArray<string> =>
  Array.from(JSON.stringify(value ?? null).matchAll(/"#\/components\/schemas\/([^"]+)"/g), ([, name = ""]) => name)

const alternativesOf = (schema: unknown): ReadonlyArray<unknown> =>
  isObject(schema) ? listOf(schema["anyOf"] ?? schema["oneOf"]) : []

/** An operation of the partner API, or one action of a shared path. */
interface ClientOperation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly isKeyed: boolean
  readonly action?: string
  readonly input: string
  readonly answer: string
  readonly uses: ReadonlyArray<string>
}

// Flags in queries are words on the wire.
const isFlag = /^(is|include)[A-Z]/

const parametersIn = (parameters: ReadonlyArray<Parameter>, place: string): string => {
  const found = parameters.filter((each) => each.in === place)
  if (found.length === 0) return ""
  const properties = Object.fromEntries(
    found.map(({ description, name, schema }) => [
      name,
      isFlag.test(name) ? { type: "boolean", description } : { ...(isObject(schema) ? schema : {}), description }
    ])
  )
  const required = found.filter((each) => each.required === true).map(({ name }) => name)
  const optional = required.length === 0 ? "?" : ""
  const name = place === "path" ? "params" : place
  return `      readonly ${name}${optional}: ${objectType({ properties, required }, "      ")}${optional === "" ? "" : " | undefined"}\n`
}

const operations: ReadonlyArray<ClientOperation> = Object.entries(publicDocument.paths).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, operation]): ReadonlyArray<ClientOperation> => {
    if (operation.security?.some((credentials) => "apiKey" in credentials) !== true) return []
    const { operationId: id = "", parameters: all = [], requestBody, responses = {} } = operation
    const parameters = all.filter(isParameter)
    const body = requestBody?.content[json]?.schema
    const successes = Object.entries(responses).filter(([status]) => status.startsWith("2"))
    const [first, ...others] = successes.flatMap(([, { content }]) => content?.[json]?.schema ?? [])
    const answer = first === undefined || others.length === 0 ? first : { anyOf: [first, ...others] }
    const given = parametersIn(parameters, "path") + parametersIn(parameters, "query")
    const isKeyed = parameters.some(({ name }) => name === "idempotency-key")
    const shared = { method: method.toUpperCase(), path, isKeyed }
    const uses = [...referencedIn(body), ...referencedIn(answer), ...referencedIn(parameters)]
    const actions = alternativesOf(body).map((each) => nameOf(isObject(each) ? each["$ref"] : ""))
    if (actions.length === 0) {
      const input = `${given}${body === undefined ? "" : `      readonly body: ${typeOf(body, "      ")}\n`}`
      return [{ ...shared, id, input, answer: answer === undefined ? "undefined" : typeOf(answer, "    "), uses }]
    }
    // The answers of a shared path are in the order of its actions.
    const answers = alternativesOf(answer)
    if (answers.length !== actions.length) throw new Error(`The answers of ${id} are not those of its actions`)
    return actions.map((name, index) => {
      const schema = schemas[name]
      const properties = isObject(schema) && isObject(schema["properties"]) ? schema["properties"] : {}
      const selected = properties["action"]
      const action = isObject(selected) ? String(selected["const"]) : ""
      const input = `${given}      readonly body: Omit<${name}, "action">\n`
      return { ...shared, id: `${id}.${action}`, action, input, answer: typeOf(answers[index], "    "), uses }
    })
  })
)

const webhooks = Object.entries(publicDocument.webhooks ?? {}).map(([type, item]) => ({
  type,
  schema: item["post"]?.requestBody?.content[json]?.schema
}))

const used = new Set([
  ...operations.flatMap(({ uses }) => uses),
  ...webhooks.flatMap(({ schema }) => referencedIn(schema))
])
for (const name of used) for (const inner of referencedIn(schemas[name])) used.add(inner)

const declared = [...used].sort().map((name) => {
  const schema = schemas[name]
  const described = comment(isObject(schema) ? schema["description"] : undefined, "")
  const type = typeOf(schema)
  return type.startsWith("{\n") && !type.includes("\n} |")
    ? `${described}export interface ${name} ${type}\n`
    : `${described}export type ${name} = ${type}\n`
})

/** The ids of the operations that the client has to have a method for. */
export const clientOperationIds: ReadonlyArray<string> = operations.map(({ id }) => id)

/** The types of the client, and the routes of its operations: `packages/client/src/generated.ts`, before it is formatted. */
export const clientTypes = [
  "// Written by `pnpm client:types` from the public document.\n",
  ...declared,
  `/** The input and the answer of each operation. */\nexport interface Operations {\n${operations
    .map(
      ({ answer, id, input }) =>
        `  readonly "${id}": {\n    readonly input: ${input === "" ? "Readonly<Record<never, never>>" : `{\n${input}    }`}\n    readonly answer: ${answer}\n  }\n`
    )
    .join("")}}\n`,
  `/** The body of each webhook event. */\nexport type WebhookBody = ${webhooks.map(({ schema }) => typeOf(schema)).join(" | ")}\n`,
  `interface Route {\n  readonly method: string\n  readonly path: string\n  readonly isKeyed?: true\n  readonly action?: string\n}\n`,
  `/** The routes of the operations. Those that are keyed take an \`idempotency-key\`. */\nexport const routes: { readonly [Id in keyof Operations]: Route } = {\n${operations
    .map(
      ({ action, id, isKeyed, method, path }) =>
        `  "${id}": { method: "${method}", path: "${path}"${isKeyed ? ", isKeyed: true" : ""}${action === undefined ? "" : `, action: "${action}"`} }`
    )
    .join(",\n")}\n}\n`
].join("\n")
