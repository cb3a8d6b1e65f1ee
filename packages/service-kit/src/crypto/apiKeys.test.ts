import { firstCell } from "@care/domain/cells"
import { assert, it } from "@effect/vitest"
import {
  apiKeysIn,
  cellOfKey,
  cellOfSignOnState,
  cellOfStaffToken,
  makeApiKey,
  makeSignOnState,
  makeStaffToken,
  shownPartOf
} from "./apiKeys.ts"

// Its checksum was computed with zlib of Python.
const known = "cv_live_c2_0123456789ABCDEFGHIJKLMNOPQRSTUV2lkv5O"

const changed = (key: string, index: number, character: string) =>
  key.slice(0, index) + character + key.slice(index + 1)

it("the keys in a text are found, and nothing that only looks like one", () => {
  const other = makeApiKey("c1")
  const lookalike = changed(known, 12, "Z")
  const text = `KEY=${known}\nkey: "${other}", ${lookalike}, cv_abc`
  assert.deepStrictEqual(apiKeysIn(text), [
    { key: known, index: 4 },
    { key: other, index: text.indexOf(other) }
  ])
  assert.deepStrictEqual(apiKeysIn(""), [])
})

// Where the gateway looks for a key.
const forms: ReadonlyArray<readonly [what: string, key: string, cell: string | undefined]> = [
  ["a key of a cell", known, "c2"],
  ["a key with another secret and the same checksum", changed(known, 11, "1"), undefined],
  ["a key with another cell and the same checksum", known.replace("_c2_", "_c3_"), undefined],
  ["a key with another checksum", changed(known, known.length - 1, "0"), undefined],
  ["a key of test mode with the checksum of a live one", known.replace("live", "test"), undefined],
  ["a key of test mode", "cv_test_c2_0123456789ABCDEFGHIJKLMNOPQRSTUV3ubMiU", "c2"],
  ["a key that is cut off", known.slice(0, -1), firstCell],
  ["a key with more behind it", `${known}0`, firstCell],
  ["a key with a space", `${known} `, firstCell],
  ["a key of another mode", known.replace("live", "next"), firstCell],
  ["a cell of one letter", known.replace("_c2_", "_c_"), firstCell],
  ["a cell of nine letters", known.replace("_c2_", "_ninechars_"), firstCell],
  ["a cell in capitals", known.replace("_c2_", "_C2_"), firstCell],
  ["a key of the older form", `cv_${"a-_".repeat(14)}a`, firstCell],
  ["a key of the older form that begins like a newer one", `cv_live_c2_${"a".repeat(35)}`, firstCell],
  ["any text", "no key", firstCell]
]
for (const [what, key, cell] of forms) {
  it(`${what} is looked up in ${cell ?? "no cell"}`, () => assert.strictEqual(cellOfKey(key), cell))
}

it("a new key names its cell, and no two are alike", () => {
  for (const cell of ["c1", "c2", "europe12"]) {
    const keys = Array.from({ length: 100 }, () => makeApiKey(cell))
    assert.deepStrictEqual([...new Set(keys.map(cellOfKey))], [cell])
    assert.strictEqual(new Set(keys).size, 100)
    for (const key of keys) assert.match(key, new RegExp(`^cv_live_${cell}_[0-9A-Za-z]{38}$`))
  }
})

it("eight characters of a key's secret are shown", () => {
  assert.strictEqual(shownPartOf(known), "cv_live_c2_01234567")
})

it("a token of staff names its cell, and neither an API key nor a changed token does", () => {
  const token = makeStaffToken("c2")
  assert.match(token, /^cs_c2_[0-9A-Za-z]{38}$/)
  assert.strictEqual(cellOfStaffToken(token), "c2")
  for (const other of ["", known, token.replace("_c2_", "_c3_"), `${token} `, token.slice(0, -1), makeApiKey("c2")]) {
    assert.isUndefined(cellOfStaffToken(other), other)
  }
})

it("the state of a single sign-on names its cell, and no other text does", () => {
  const state = makeSignOnState("c2")
  assert.match(state, /^co_c2_[0-9A-Za-z]{38}$/)
  assert.strictEqual(cellOfSignOnState(state), "c2")
  for (const other of ["", known, state.replace("_c2_", "_c3_"), `${state} `, makeStaffToken("c2")]) {
    assert.isUndefined(cellOfSignOnState(other), other)
  }
  assert.isUndefined(cellOfStaffToken(state))
})
