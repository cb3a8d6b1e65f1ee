import { assert, it } from "@effect/vitest"
import { greeting } from "./greeting.ts"

it("a message greets by the first name only if it reads as a name", () => {
  for (const name of [
    "Maria",
    "Mary Ann",
    "O'Brien",
    "D\u2019Angelo",
    "Jean-Luc",
    "J. R.",
    "Jos\u00e9",
    "Jose\u0301",
    "\u738b\u5c0f\u660e",
    "St. John"
  ]) {
    assert.strictEqual(greeting(name), `Hello ${name},`)
  }
  for (const name of [
    "www.evil.example",
    "Maria evil.example",
    "J.R. Smith",
    "https://evil.example/",
    "evil\u3002example",
    "a@evil.example",
    "Maria\n\nLog in at",
    "Maria\u2028Log in",
    "Maria\u200b",
    "Maria 555 0100",
    "Maria (here)",
    ""
  ]) {
    assert.strictEqual(greeting(name), "Hello,", name)
  }
})
