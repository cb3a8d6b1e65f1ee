import { randomBytes } from "node:crypto"
import { anyCharacter } from "@care/domain/testing"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import * as fc from "fast-check"
import { decodeBase64 } from "./decodeBase64.ts"

const decode = (text: string) => Effect.runPromiseExit(decodeBase64(text))
const anyBytes = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes))

describe("decodeBase64", () => {
  it("decodes every encoded buffer, also with white space and as a data URL", async () => {
    await fc.assert(
      fc.asyncProperty(
        anyBytes,
        fc.constantFrom("", "data:image/png;base64,", "DATA:text/plain;charset=utf-8;base64,"),
        async (bytes, prefix) => {
          const text = `${prefix}${bytes.toString("base64")}`
          assert.deepStrictEqual(await decode(text), Exit.succeed(bytes))
          assert.deepStrictEqual(await decode(` ${text.replace(/.{76}/g, "$&\r\n")}\n`), Exit.succeed(bytes))
        }
      )
    )
  })

  it("decodes texts of several slices, wherever their lines end", async () => {
    for (const lineLength of [1, 3, 76, 262_143]) {
      const bytes = randomBytes(600_000 + lineLength)
      const lines = bytes.toString("base64").match(new RegExp(`.{1,${lineLength}}`, "g")) ?? []
      assert.isTrue(bytes.equals(await Effect.runPromise(decodeBase64(lines.join("\n")))))
    }
  })

  it("refuses a single forbidden character, wherever it is", async () => {
    await fc.assert(
      fc.asyncProperty(
        anyBytes.filter(({ length }) => length > 0),
        fc
          .string({ unit: anyCharacter, minLength: 1, maxLength: 1 })
          .filter((char) => !/[A-Za-z0-9+/= \t\r\n]/.test(char)),
        fc.nat(),
        async (bytes, forbidden, at) => {
          const text = bytes.toString("base64")
          const index = at % text.length
          assert.isTrue(Exit.isFailure(await decode(`${text.slice(0, index)}${forbidden}${text.slice(index + 1)}`)))
        }
      )
    )
  })

  it("refuses missing, superfluous and misplaced padding, base64url, and data URLs that are not base64", async () => {
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
      assert.isTrue(Exit.isFailure(await decode(text)), text)
    }
  })

  it("takes milliseconds for the largest texts that a request may have, valid or not", async () => {
    const large = "A".repeat(16 * 1024 * 1024)
    assert.isTrue(Exit.isSuccess(await decode(large)))
    assert.isTrue(Exit.isFailure(await decode(`${large}!AAA`)))
    assert.isTrue(Exit.isFailure(await decode(`data:${large}`)))
    assert.isTrue(Exit.isSuccess(await decode(" \n".repeat(large.length / 2))))
  })
})
