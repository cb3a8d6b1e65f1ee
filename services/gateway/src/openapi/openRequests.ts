import { Predicate, Record } from "effect"
import type { Document, OperationObject } from "./openApiDocument.ts"

const reference = /"#\/components\/schemas\/([^"]+)"/g

const openSchema = <A>(schema: A): A =>
  JSON.parse(JSON.stringify(schema), (_key, value) => {
    if (!Predicate.isObject(value)) return value
    const { additionalProperties, format, ...others } = value
    return {
      ...others,
      ...(additionalProperties !== undefined && additionalProperties !== false && { additionalProperties }),
      // Requests accept more than RFC 3339, as their descriptions say. Answers are RFC 3339.
      ...(format !== undefined && format !== "date-time" && { format })
    }
  })

const componentsIn = (schema: unknown): ReadonlyArray<string> =>
  Array.from(JSON.stringify(schema).matchAll(reference), ([, name = ""]) => name)

// The components that requests and webhooks use, directly or through others.
const requestComponents = ({ components, paths, webhooks = {} }: Document): ReadonlySet<string> => {
  const operations = [...Object.values(paths), ...Object.values(webhooks)].flatMap((item) => Object.values(item))
  const names = new Set(operations.flatMap(({ requestBody = null }) => componentsIn(requestBody)))
  for (const name of names) {
    for (const inner of componentsIn(components?.schemas?.[name] ?? null)) names.add(inner)
  }
  return names
}

const openRequest = ({ parameters, requestBody, ...operation }: OperationObject): OperationObject => ({
  ...operation,
  ...(parameters !== undefined && { parameters: openSchema(parameters) }),
  ...(requestBody !== undefined && { requestBody: openSchema(requestBody) })
})

/**
 * Allows additional fields in requests and webhooks: services ignore unknown fields, and receivers of webhooks should
 * too.
 */
export const openRequests = (document: Document): Document => {
  const names = requestComponents(document)
  return {
    ...document,
    components: {
      ...document.components,
      schemas: Record.map(document.components?.schemas ?? {}, (schema, name) =>
        names.has(name) ? openSchema(schema) : schema
      )
    },
    paths: Record.map(document.paths, (item) => Record.map(item, openRequest))
  }
}
