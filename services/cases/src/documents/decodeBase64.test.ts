import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import * as fc from "fast-check"
import { decodeBase64 } from "./decodeBase64.ts"

const decode = (text: string) => Effect.runSyncExit(decodeBase64(text))
const anyBytes = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes))

describe("decodeBase64", () => {
  it("opens every encoded buffer, also with white space and as a data URL", () => {
    fc.assert(
      fc.property(
        anyBytes,
        fc.constantFrom("", "data:image/png;base64,", "DATA:text/plain;charset=utf-8;base64,"),
        (bytes, prefix) => {
          const text = `${prefix}${bytes.toString("base64")}`
          assert.deepStrictEqual(decode(text), Exit.succeed(bytes))
          assert.deepStrictEqual(decode(` ${text.replace(/.{76}/g, "$&\r\n")}\n`), Exit.succeed(bytes))
        }
      )
    )
  })

  it("refuses a single forbidden character, wherever it is", () => {
    fc.assert(
      fc.property(
        anyBytes.filter(({ length }) => length > 0),
        fc.string({ unit: "binary", minLength: 1, maxLength: 1 }).filter((char) => !/[A-Za-z0-9+/= \t\r\n]/.test(char)),
        fc.nat(),
        (bytes, forbidden, at) => {
          const text = bytes.toString("base64")
          const index = at % text.length
          assert.isTrue(Exit.isFailure(decode(`${text.slice(0, index)}${forbidden}${text.slice(index + 1)}`)))
        }
      )
    )
  })

  it("refuses missing, superfluous and misplaced padding, base64url, and data URLs that are not base64", () => {
    for (const text of [
      "QQ",
      "QQ=",
      "QQ===",
      "QQ==QQ==",
      "=QQQ",
      "====",
      "Q===",
      "-_-_",
      "data:text/plain,QQ==",
      "data:"
    ]) {
      assert.isTrue(Exit.isFailure(decode(text)), text)
    }
  })

  it("takes milliseconds for what is as large as a request may be, valid or not", () => {
    const large = "A".repeat(16 * 1024 * 1024)
    assert.isTrue(Exit.isSuccess(decode(large)))
    assert.isTrue(Exit.isFailure(decode(`${large}!AAA`)))
    assert.isTrue(Exit.isFailure(decode(`data:${large}`)))
    assert.isTrue(Exit.isSuccess(decode(" \n".repeat(large.length / 2))))
  })
})
