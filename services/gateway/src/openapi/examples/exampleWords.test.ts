import { assert, it } from "@effect/vitest"
import { adminDocument, publicDocument } from "../publicDocument.ts"
import { exampleThings, exampleWords } from "./index.ts"

const documents = [publicDocument, adminDocument]

// Adds the names of components and of fields in a value.
const addNames = (value: unknown, found: Set<string>): void => {
  for (const [key, inner] of Object.entries(Object(value))) {
    if (key === "properties" || key === "schemas") for (const name of Object.keys(Object(inner))) found.add(name)
    if (typeof inner === "object") addNames(inner, found)
  }
}

it("words of examples are of fields that the documents have, and things are components, fields or groups", () => {
  const names = new Set<string>()
  addNames(documents, names)
  const fieldOf = (key: string) => key.split(".").at(-1) ?? ""
  assert.deepStrictEqual(
    Object.keys(exampleWords).filter((key) => !names.has(fieldOf(key))),
    []
  )
  for (const operation of documents.flatMap(({ paths }) => Object.values(paths).flatMap((item) => Object.values(item))))
    names.add(operation.operationId?.split(".")[0] ?? "")
  assert.deepStrictEqual(
    Object.keys(exampleThings).filter((key) => !names.has(fieldOf(key))),
    []
  )
})
