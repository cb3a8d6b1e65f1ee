import type { Document } from "./openApiDocument.ts"

const reference = /"#\/components\/schemas\/([^"]+)"/g

// The generator calls the wire form of a class `CaseDetailEncoded`, or `CaseDetailEncoded_1` when it met it twice.
const plainName = (name: string): string => name.replace(/Encoded(_\d+)?$/, "")

/** Names components after what they describe. One name stands for one form. */
export const renameComponents = (document: Document): Document => {
  const { components, ...renamed }: Document = JSON.parse(
    JSON.stringify(document).replace(reference, (_, name) => `"#/components/schemas/${plainName(name)}"`)
  )
  const schemas = new Map<string, unknown>()
  for (const [name, schema] of Object.entries(components?.schemas ?? {})) {
    const plain = plainName(name)
    if (schemas.has(plain)) throw new Error(`Two forms are called ${plain}: give one of them another identifier`)
    schemas.set(plain, schema)
  }
  return { ...renamed, components: { ...components, schemas: Object.fromEntries(schemas) } }
}
