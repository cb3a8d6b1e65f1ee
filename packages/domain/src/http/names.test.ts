import { assert, it } from "@effect/vitest"
import { Exit, Schema } from "effect"
import { Email } from "./Email.ts"
import { nameUpTo } from "./Text.ts"

const unseen = [
  ..."\n\r\t\u0085\u2028\u2029\u200b\u2060\ufeff\u061c\u00ad\u180e\ufff9\u202e\u009b\u0000\u001b",
  "\u{e0041}"
]

it("a name is one line without anything that is not seen, and says so when it is not", () => {
  const decode = Schema.decodeUnknownExit(nameUpTo(100))
  for (const name of ["Maria", "O'Brien", "Jean-Luc", "Jos\u00e9", "\u738b\u5c0f\u660e", "J. R.", "M\u0323aria"]) {
    assert.deepStrictEqual(decode(name), Exit.succeed(name))
  }
  for (const character of unseen) {
    const refused = decode(`Maria${character}Log in at example.com`)
    assert.match(String(refused), /control|NUL/, JSON.stringify(character))
  }
})

it("an email has nothing in it that is not seen", () => {
  const decode = Schema.decodeUnknownExit(Email)
  assert.deepStrictEqual(decode(" Maria@Example.com "), Exit.succeed("maria@example.com"))
  for (const character of unseen) {
    for (const email of [
      `mar${character}ia@example.com`,
      `maria@exa${character}mple.com`,
      `maria@example.c${character}om`
    ]) {
      assert.isTrue(Exit.isFailure(decode(email)), JSON.stringify(email))
    }
  }
})
