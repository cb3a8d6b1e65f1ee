import type { Document } from "./openApiDocument.ts"

const reference = /"#\/components\/schemas\/([^"]+)"/g

/**
 * Names components after what they describe: the generator calls the wire form of a class `CaseDetailEncoded`, and a
 * second one `CaseDetailEncoded_1`.
 */
export const renameComponents = (document: Document): Document => {
  const { schemas = {}, ...components } = document.components ?? {}
  const names = new Map<string, string>()
  for (const name of Object.keys(schemas).sort()) {
    const plain = name.replace(/Encoded(_\d+)?$/, "")
    const taken = new Set(names.values())
    let free = plain
    for (let count = 2; taken.has(free); count += 1) free = `${plain}${count}`
    names.set(name, free)
  }
  const renamed: Document = JSON.parse(
    JSON.stringify({ ...document, components }).replace(reference, (_, name) => refTo(names, name))
  )
  const renamedSchemas: Record<string, unknown> = JSON.parse(
    JSON.stringify(schemas).replace(reference, (_, name) => refTo(names, name))
  )
  return {
    ...renamed,
    components: {
      ...components,
      schemas: Object.fromEntries(
        Object.entries(renamedSchemas).map(([name, schema]) => [names.get(name) ?? name, schema])
      )
    }
  }
}

const refTo = (names: ReadonlyMap<string, string>, name: string): string =>
  `"#/components/schemas/${names.get(name) ?? name}"`
