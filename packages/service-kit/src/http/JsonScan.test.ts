import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { JsonScan, maxJsonDepth, maxJsonValues } from "./JsonScan.ts"

const scanned = (text: string, sliceBytes = Number.MAX_SAFE_INTEGER): string | undefined => {
  const scan = new JsonScan()
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    const problem = scan.read(bytes.subarray(at, at + sliceBytes))
    if (problem !== undefined) return problem
  }
  return undefined
}

const depthOf = (value: unknown): number =>
  typeof value === "object" && value !== null
    ? 1 + Object.values(value).reduce((deepest: number, inner) => Math.max(deepest, depthOf(inner)), 0)
    : 0

// Texts that look like the structure of JSON, and may end with characters that could hide the end of a text.
const trickyText = fc.string({ unit: fc.constantFrom("[", "]", "{", "}", ",", ":", '"', "\\", "a", "é", "\u2028") })
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    trickyText,
    fc.integer(),
    fc.constantFrom(null, true),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(trickyText, tie("value"), { maxKeys: 3 })
  )
})).value

const wrapped = (value: unknown, kinds: ReadonlyArray<boolean>): unknown =>
  kinds.reduce((inner: unknown, isArray) => (isArray ? [inner] : { '"[{': inner }), value)

describe("JsonScan", () => {
  it("finds JSON that is nested too deep, with any texts and any division into pieces", () => {
    let refused = 0
    fc.assert(
      fc.property(
        json,
        fc.array(fc.boolean(), { maxLength: 40, size: "max" }),
        fc.integer({ min: 1, max: 9 }),
        (inner, kinds, slice) => {
          const value = wrapped(inner, kinds)
          const isTooDeep = depthOf(value) > maxJsonDepth
          if (isTooDeep) refused += 1
          const text = JSON.stringify(value, null, kinds.length % 3)
          assert.strictEqual(scanned(text, slice), isTooDeep ? "must be nested at most 32 deep" : undefined)
          assert.strictEqual(scanned(text), scanned(text, slice))
        }
      ),
      { numRuns: 1000 }
    )
    assert.isAbove(refused, 50)
  })

  it("counts values, and ignores the content of texts", () => {
    const tooMany = `must have at most ${maxJsonValues} values`
    const list = (length: number) => JSON.stringify(Array(length).fill(0))
    assert.isUndefined(scanned(list(maxJsonValues - 1)))
    assert.strictEqual(scanned(list(maxJsonValues)), tooMany)
    assert.strictEqual(scanned(`[${"[],".repeat(maxJsonValues)}0]`), tooMany)
    const members = Array.from({ length: maxJsonValues }, (_, index) => [`key ${index}`, {}])
    assert.strictEqual(scanned(JSON.stringify(Object.fromEntries(members))), tooMany)
    assert.isUndefined(scanned(JSON.stringify({ text: ',[{"'.repeat(maxJsonValues) })))
  })
})
