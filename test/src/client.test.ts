import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { clientOperationIds, clientTypes } from "../client/clientTypes.ts"

const source = join(import.meta.dirname, "../../packages/client/src")

it("the types of the client are those of the public document: `pnpm client:types` writes them", () => {
  assert.isTrue(readFileSync(join(source, "generated.ts"), "utf8") === clientTypes)
})

it("each operation of the public document has one method of the client, and each method has an example", () => {
  const files = readdirSync(join(source, "resources")).map((name) =>
    readFileSync(join(source, "resources", name), "utf8")
  )
  const sent = files.flatMap((text) =>
    Array.from(text.matchAll(/#transport\.send\(\s*"([^"]+)"/g), ([, id = ""]) => id)
  )
  assert.deepStrictEqual(sent.toSorted(), clientOperationIds.toSorted())
  for (const text of files) {
    const methods = Array.from(text.matchAll(/^ {2}(?!constructor)\w+\(/gm)).length
    assert.strictEqual(Array.from(text.matchAll(/@example\n {3}\* ```ts\n/g)).length, methods)
  }
})
