import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { areChoices } from "./areChoices.ts"

describe("areChoices", () => {
  const option = fc.string({ minLength: 1, unit: fc.constantFrom("a", "b", ",", ";", " ", "[", '"') })
  // Without white space at its ends, which would count as part of a separator.
  const options = fc.uniqueArray(
    option.filter((text) => text.trim() === text),
    { minLength: 1, maxLength: 5 }
  )
  const chosen = options.chain((all) => fc.tuple(fc.constant(all), fc.subarray([...all], { minLength: 1 })))

  it("takes any of the options, separated or as JSON, whatever commas they have themselves", () => {
    fc.assert(
      fc.property(chosen, fc.constantFrom(", ", ",", "; ", " , ", ",\n"), ([all, some], separator) => {
        assert.isTrue(areChoices(some.join(separator), all), some.join(separator))
        assert.isTrue(areChoices(JSON.stringify(some), all))
      })
    )
  })

  it("takes what can be read as options in one way, whichever is tried first", () => {
    const all = ["A", "A, B", "B, C", "None of these, so far"]
    for (const text of ["A", "A, B", "A, B, C", "B, C, A", "A,A, B", "None of these, so far; A", " A , A "]) {
      assert.isTrue(areChoices(text, all), text)
    }
    for (const text of ["B", "A, C", "A,", ", A", "A,, A", "A B, C", "a", "None of these", '["B"]', "A, X", ""]) {
      assert.isFalse(areChoices(text, all), text)
    }
  })

  it("refuses an unknown choice beside known ones", () => {
    fc.assert(
      fc.property(chosen, fc.string({ minLength: 1, unit: fc.constantFrom("x", "y") }), ([all, some], other) => {
        assert.isFalse(areChoices([...some, other].join(", "), all))
        assert.isFalse(areChoices([other, ...some].join(", "), all))
      })
    )
  })

  it("takes all options of a long list", () => {
    const all = Array.from({ length: 200 }, (_, index) =>
      `${index}, ${"which is said in many words ".repeat(3)}`.trim()
    )
    assert.isTrue(areChoices(all.join("; "), all))
    assert.isFalse(areChoices([...all, "x"].join("; "), all))
  })

  it("refuses a text with very many possible readings, none of which fits", () => {
    const all = Array.from({ length: 200 }, (_, index) => `${"a,".repeat(index)}a`)
    assert.isTrue(areChoices(`${"a,".repeat(20)}a`, all))
    assert.isFalse(areChoices(`${"a,".repeat(9999)}b`, all))
  })
})
