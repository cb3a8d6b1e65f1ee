import { Predicate, Record } from "effect"
import type { Document, Operation } from "./openApiDocument.ts"

const reference = /"#\/components\/schemas\/([^"]+)"/g

const open = <A>(schema: A): A =>
  JSON.parse(JSON.stringify(schema), (_key, value) => {
    if (!Predicate.isObject(value) || value["additionalProperties"] !== false) return value
    const { additionalProperties: _, ...rest } = value
    return rest
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

const openBody = ({ requestBody, ...operation }: Operation): Operation =>
  requestBody === undefined ? operation : { ...operation, requestBody: open(requestBody) }

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
    paths: Record.map(document.paths, (item) => Record.map(item, openBody))
  }
}
