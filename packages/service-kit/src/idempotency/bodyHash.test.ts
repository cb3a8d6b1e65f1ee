import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { bodyHash } from "./bodyHash.ts"

describe("bodyHash", () => {
  it("does not depend on the order of fields, and does on every value", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), fc.integer(), (body, name, value) => {
        const reversed = Object.fromEntries(Object.entries(body).reverse())
        assert.strictEqual(bodyHash(reversed), bodyHash(body))
        fc.pre(body[name] !== value)
        assert.notStrictEqual(bodyHash({ ...body, [name]: value }), bodyHash(body))
      })
    )
  })
})
