import { assert, it } from "@effect/vitest"
import { Cause } from "effect"
import { printable } from "./printable.ts"
import { safeCause } from "./safeCause.ts"

it("a message from another server cannot begin a line of the log or control a terminal", () => {
  const message = "refused\r\n12:00:00 ERROR (#1): forged\n    at forged (x.ts:1:1)\u001b[2J\u009b31m\u202e"
  const error = new Error(message)
  const [first, ...frames] = safeCause(Cause.die(error)).split("\n")
  assert.strictEqual(
    first,
    "Error: refused\\u000d 12:00:00 ERROR (#1): forged     at forged (x.ts:1:1)\\u001b[2J\\u009b31m\\u202e"
  )
  assert.isNotEmpty(frames)
  assert.notInclude(frames.join("\n"), "forged")
})

it("an error of a parser has only kind and place", () => {
  const [first] = safeCause(Cause.die(new SyntaxError('Unexpected token in "migraine"'))).split("\n")
  assert.strictEqual(first, "SyntaxError")
})

it("characters that a terminal acts on or hides are escaped, and all others stay", () => {
  for (const plain of ["Zoë Müller-O'Neil, 10 €\nline two", "日本語 العربية", "a 😀"]) {
    assert.strictEqual(printable(plain), plain)
  }
  const codes = [
    0, 9, 0xd, 0x1b, 0x7f, 0x9b, 0xad, 0x61c, 0x180e, 0x200b, 0x200d, 0x200e, 0x2028, 0x2029, 0x202e, 0x2060, 0x2066,
    0xfeff, 0xfff9, 0xe0001, 0xe0041
  ]
  for (const code of codes) {
    const text = `a${String.fromCodePoint(code)}b`
    const shown = printable(text)
    assert.match(shown, /^a(?:\\u[0-9a-f]{4})+b$/, code.toString(16))
    assert.strictEqual(JSON.parse(`"${shown}"`), text)
    assert.strictEqual(printable(shown), shown)
  }
})
