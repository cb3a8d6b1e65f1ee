import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as fc from "fast-check"
import { CaseId } from "../Ids.ts"
import { anyCharacter } from "../testing/anyCharacter.ts"
import { Email } from "./Email.ts"
import { PhoneNumber } from "./PhoneNumber.ts"
import { textUpTo } from "./Text.ts"

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

  it("refuses what no mail can be sent to, quickly however long it is", () => {
    for (const text of ["", "a", "a@", "@b.co", "a@b", "a@b.", "a b@c.co", "a@b@c.co", `${"a".repeat(65)}@b.co`]) {
      assert.throws(() => decode(text), /valid email/)
    }
    assert.throws(() => decode(`a@${"b.".repeat(100_000)}`), /valid email/)
  })

  it("refuses what a mail would read as another address, or as several", () => {
    const address = "v@example.com"
    assert.strictEqual(decode(address), address)
    const written = [
      "<v@example.com>",
      "a,v@example.com",
      "(c)v@example.com",
      "v@example.com,",
      "g:v@example.com",
      "b;v@b.co"
    ]
    for (const text of [
      ...written,
      '"v"@example.com',
      "a\\v@b.co",
      "v@[10.0.0.1]",
      "v\u0007@b.co",
      "v@b,c.co",
      "v@b.co\u007f"
    ]) {
      assert.throws(() => decode(text), /valid email/, undefined, text)
    }
  })
})

describe("CaseId", () => {
  const decode = Schema.decodeUnknownSync(CaseId)

  it("gives every spelling of an id the same form", () => {
    fc.assert(fc.property(fc.uuid(), (id) => assert.strictEqual(decode(id.toUpperCase()), decode(id.toLowerCase()))))
  })

  it("refuses what is no UUID", () => {
    for (const text of ["", "a", "00000000-0000-4000-8000-00000000000g", " 00000000-0000-4000-8000-000000000000"]) {
      assert.throws(() => decode(text), /must be a valid UUID/)
    }
  })
})

describe("PhoneNumber", () => {
  const decode = Schema.decodeUnknownSync(PhoneNumber)

  it("takes E.164 only", () => {
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
  it("takes every well-formed string without NUL, and no other", () => {
    const decode = Schema.decodeUnknownOption(textUpTo(100_000))
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        assert.strictEqual(decode(text)._tag, text.includes("\0") || !text.isWellFormed() ? "None" : "Some")
      })
    )
    assert.strictEqual(decode("\ud800")._tag, "None")
  })
})
