import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import { writeJson } from "./writeJson.ts"

// No contract has a member of this name.
const name = fc.string().filter((text) => text !== "__proto__")

const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(undefined, null, true, 1.5, "text\n"),
    fc.date({ noInvalidDate: true }),
    fc.array(tie("tree"), { maxLength: 4 }),
    fc.dictionary(name, tie("tree"), { maxKeys: 4 })
  )
}))

it("writes what JSON.stringify does, whatever dates are in it", () => {
  fc.assert(
    fc.property(tree, (value) => {
      assert.strictEqual(writeJson({ value }), JSON.stringify({ value }))
    }),
    { numRuns: 1000 }
  )
})
