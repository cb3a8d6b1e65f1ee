import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { anyCharacter } from "../testing/anyCharacter.ts"
import { currentTitle, EscalationType, escalationTitles } from "./escalationTitles.ts"

// The hash of all titles in their order, with the replacements. Partners depend on them. Whoever changes a title changes the hash.
const digest = "9f8123b0acd4f580057fe38aa46faf518b145989079743f967b7204d016d92e8"

const titlesOf = (type: EscalationType): ReadonlyArray<string> => [
  ...escalationTitles[type].valid,
  ...Object.keys(escalationTitles[type].deprecated)
]

describe("the titles of escalations", () => {
  it("are exactly those of the documented contract", () => {
    const titles = createHash("sha256").update(JSON.stringify(escalationTitles)).digest("hex")
    assert.strictEqual(titles, digest)
  })

  it("are unique, and the replacement of a deprecated one is valid", () => {
    for (const type of EscalationType.literals) {
      const all = titlesOf(type)
      assert.strictEqual(new Set(all).size, all.length, type)
      assert.includeMembers([...escalationTitles[type].valid], Object.values(escalationTitles[type].deprecated))
    }
  })
})

describe("currentTitle", () => {
  it("returns a valid title unchanged, and the replacement of a deprecated one", () => {
    for (const type of EscalationType.literals) {
      const { deprecated, valid } = escalationTitles[type]
      for (const title of valid) assert.strictEqual(currentTitle(type, title), title)
      for (const [title, replacement] of Object.entries(deprecated)) {
        assert.strictEqual(currentTitle(type, title), replacement)
      }
    }
  })

  it("is undefined for a title of another type, in another letter case, or with other white space", () => {
    const validPairs = EscalationType.literals.flatMap((type) => titlesOf(type).map((title) => [type, title] as const))
    const isValidPair = (type: EscalationType, title: string) => validPairs.some(([t, k]) => t === type && k === title)
    const changes: ReadonlyArray<(title: string) => string> = [
      (title) => title,
      (title) => title.toLowerCase(),
      (title) => title.toUpperCase(),
      (title) => ` ${title}`,
      (title) => `${title} `,
      (title) => title.replace(" ", "  "),
      (title) => title.slice(1)
    ]
    for (const [, title] of validPairs) {
      for (const type of EscalationType.literals) {
        for (const change of changes) {
          const changed = change(title)
          assert.strictEqual(
            currentTitle(type, changed) !== undefined,
            isValidPair(type, changed),
            `${type} / ${changed}`
          )
        }
      }
    }
    assert.strictEqual(currentTitle("support", "Waiting for patient reply"), "Waiting for patient reply")
    assert.isUndefined(currentTitle("support", "Waiting for Patient Reply"))
    assert.isUndefined(currentTitle("clinical", "Waiting for patient reply"))
  })

  it("is undefined for any other text, including the properties of every JavaScript object", () => {
    const names = ["constructor", "toString", "__proto__", "hasOwnProperty", "valueOf", "length", "0", ""]
    const texts = fc.oneof(fc.constantFrom(...names), fc.string({ unit: anyCharacter }))
    fc.assert(
      fc.property(fc.constantFrom(...EscalationType.literals), texts, (type, text) => {
        assert.isUndefined(currentTitle(type, text))
      })
    )
    for (const name of names) assert.isUndefined(currentTitle("support", name), name)
  })
})
