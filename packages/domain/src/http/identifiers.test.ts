import { assert, describe, it } from "@effect/vitest"
import { Exit, Schema } from "effect"
import * as fc from "fast-check"
import { CaseId } from "../Ids.ts"
import { anyCharacter } from "../testing/anyCharacter.ts"
import { Email } from "./Email.ts"
import { PhoneNumber } from "./PhoneNumber.ts"
import { nameUpTo, textUpTo } from "./Text.ts"

const unseen = [
  ..."\n\r\t\u0085\u2028\u2029\u200b\u2060\ufeff\u061c\u00ad\u180e\ufff9\u202e\u009b\u0000\u001b",
  "\u{e0041}"
]

describe("Email", () => {
  const decode = Schema.decodeUnknownSync(Email)

  it("gives every spelling of an address the same form", () => {
    fc.assert(
      fc.property(fc.emailAddress(), (email) => {
        fc.pre(email.length <= 254)
        assert.strictEqual(decode(` ${email.toUpperCase()} `), decode(email))
      })
    )
  })

  it("refuses texts to which no mail can be sent, quickly however long they are", () => {
    for (const text of ["", "a", "a@", "@b.co", "a@b", "a@b.", "a b@c.co", "a@b@c.co", `${"a".repeat(65)}@b.co`]) {
      assert.throws(() => decode(text), /valid email/)
    }
    assert.throws(() => decode(`a@${"b.".repeat(100_000)}`), /valid email/)
  })

  it("refuses texts that a mail would read as another address, or as several, and invisible characters", () => {
    assert.strictEqual(decode(" V@Example.com "), "v@example.com")
    const otherAddresses =
      '<v@example.com> a,v@example.com (c)v@example.com v@example.com, g:v@example.com b;v@b.co "v"@example.com a\\v@b.co v@[10.0.0.1] v\u0007@b.co v@b,c.co v@b.co\u007f'
    const invisible = unseen.flatMap((character) => [
      `mar${character}ia@example.com`,
      `maria@exa${character}mple.com`,
      `maria@example.c${character}om`
    ])
    for (const text of [...otherAddresses.split(" "), ...invisible]) {
      assert.throws(() => decode(text), /valid email|NUL/, undefined, JSON.stringify(text))
    }
  })
})

describe("nameUpTo", () => {
  it("accepts one line of visible characters", () => {
    const decode = Schema.decodeUnknownExit(nameUpTo(100))
    for (const name of ["Maria", "O'Brien", "Jean-Luc", "Jos\u00e9", "\u738b\u5c0f\u660e", "J. R.", "M\u0323aria"]) {
      assert.deepStrictEqual(decode(name), Exit.succeed(name))
    }
    for (const character of unseen) {
      const refused = decode(`Maria${character}Log in at example.com`)
      assert.match(String(refused), /control|NUL/, JSON.stringify(character))
    }
  })
})

describe("CaseId", () => {
  const decode = Schema.decodeUnknownSync(CaseId)

  it("gives every spelling of an id the same form", () => {
    fc.assert(fc.property(fc.uuid(), (id) => assert.strictEqual(decode(id.toUpperCase()), decode(id.toLowerCase()))))
  })

  it("refuses a text that is no UUID", () => {
    for (const text of ["", "a", "00000000-0000-4000-8000-00000000000g", " 00000000-0000-4000-8000-000000000000"]) {
      assert.throws(() => decode(text), /must be a valid UUID/)
    }
  })
})

describe("PhoneNumber", () => {
  const decode = Schema.decodeUnknownSync(PhoneNumber)

  it("accepts only E.164", () => {
    for (const text of ["+14155552671", "+442071838750", "+4930123456"]) assert.strictEqual(decode(text), text)
    for (const text of [
      "",
      "4155552671",
      "+1 415 555 2671",
      "+1",
      "+999999999999",
      "tel:+14155552671",
      "+1415555267a"
    ]) {
      assert.throws(() => decode(text), /E\.164/)
    }
  })
})

describe("textUpTo", () => {
  it("accepts every well-formed string without NUL, and no other", () => {
    const decode = Schema.decodeUnknownOption(textUpTo(100_000))
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        assert.strictEqual(decode(text)._tag, text.includes("\0") || !text.isWellFormed() ? "None" : "Some")
      })
    )
    assert.strictEqual(decode("\ud800")._tag, "None")
  })
})
