import { Predicate, Record } from "effect"
import type { Document, Operation } from "./openApiDocument.ts"

const reference = /"#\/components\/schemas\/([^"]+)"/g

const open = <A>(schema: A): A =>
  JSON.parse(JSON.stringify(schema), (_key, value) => {
    if (!Predicate.isObject(value)) return value
    const { additionalProperties, format, ...rest } = value
    return {
      ...rest,
      ...(additionalProperties !== undefined && additionalProperties !== false && { additionalProperties }),
      // More is taken than RFC 3339 knows, which answers are in: its description says what.
      ...(format !== undefined && format !== "date-time" && { format })
    }
  })

const componentsIn = (schema: unknown): ReadonlyArray<string> =>
  Array.from(JSON.stringify(schema).matchAll(reference), ([, name = ""]) => name)

// The components that requests and webhooks consist of, and those that these consist of.
const requestComponents = ({ components, paths, webhooks = {} }: Document): ReadonlySet<string> => {
  const operations = [...Object.values(paths), ...Object.values(webhooks)].flatMap((item) => Object.values(item))
  const names = new Set(operations.flatMap(({ requestBody = null }) => componentsIn(requestBody)))
  for (const name of names) {
    for (const inner of componentsIn(components?.schemas?.[name] ?? null)) names.add(inner)
  }
  return names
}

const openRequest = ({ parameters, requestBody, ...operation }: Operation): Operation => ({
  ...operation,
  ...(parameters !== undefined && { parameters: open(parameters) }),
  ...(requestBody !== undefined && { requestBody: open(requestBody) })
})

/**
 * Forbids no field in the bodies of requests, nor in what is sent to callers: what a service does not know, it ignores, and
 * so should they.
 */
export const openRequests = (document: Document): Document => {
  const names = requestComponents(document)
  return {
    ...document,
    components: {
      ...document.components,
      schemas: Record.map(document.components?.schemas ?? {}, (schema, name) =>
        names.has(name) ? open(schema) : schema
      )
    },
    paths: Record.map(document.paths, (item) => Record.map(item, openRequest))
  }
}
