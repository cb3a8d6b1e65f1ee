import { assert, it } from "@effect/vitest"
import { Cause } from "effect"
import { safeCause } from "./safeCause.ts"

it("what somebody else's server said begins no line of a log, and moves no terminal", () => {
  const said = "refused\r\n12:00:00 ERROR (#1): forged\n    at forged (x.ts:1:1)\u001b[2J\u009b31m\u202e"
  const error = new Error(said)
  const [first, ...rest] = safeCause(Cause.die(error)).split("\n")
  assert.strictEqual(
    first,
    "Error: refused\\u000d 12:00:00 ERROR (#1): forged     at forged (x.ts:1:1)\\u001b[2J\\u009b31m\\u202e"
  )
  assert.isNotEmpty(rest)
  assert.notInclude(rest.join("\n"), "forged")
})

it("an error of a parser is told by its kind and place alone", () => {
  const [first] = safeCause(Cause.die(new SyntaxError('Unexpected token in "migraine"'))).split("\n")
  assert.strictEqual(first, "SyntaxError")
})
