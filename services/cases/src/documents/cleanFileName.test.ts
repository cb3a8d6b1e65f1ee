import { anyCharacter } from "@care/domain/testing"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { cleanFileName } from "./cleanFileName.ts"

describe("cleanFileName", () => {
  it("strips directories and control characters, and has a default name", () => {
    const names: ReadonlyArray<readonly [path: string, name: string]> = [
      ["y.pdf", "y.pdf"],
      ["C:\\x\\y.pdf", "y.pdf"],
      ["../y.pdf", "y.pdf"],
      ["/a\\b/y.pdf", "y.pdf"],
      [" y\r\n\0.pdf ", "y.pdf"],
      ["y\u202Efdp.exe", "yfdp.exe"],
      ["Befund Müller 👩‍⚕️.pdf", "Befund Müller 👩‍⚕️.pdf"],
      ["", "document"],
      ["a/", "document"],
      ["..", "document"],
      [". \n", "document"]
    ]
    for (const [path, name] of names) assert.strictEqual(cleanFileName(path), name)
  })

  it("keeps the extension of a long name", () => {
    assert.strictEqual(cleanFileName(`${"a".repeat(300)}.pdf`), `${"a".repeat(251)}.pdf`)
    assert.strictEqual(cleanFileName("a".repeat(300)), "a".repeat(255))
    assert.strictEqual(cleanFileName(`${"a".repeat(254)} ${"a".repeat(50)}`), "a".repeat(254))
  })

  it("any name becomes 1 to 255 allowed characters, and stays the same when it is cleaned again", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 400, size: "max" }), (path) => {
        const name = cleanFileName(path)
        assert.isTrue(name.length >= 1 && name.length <= 255 && name.isWellFormed())
        assert.notMatch(name, /[/\\\p{Cc}]/u)
        assert.strictEqual(cleanFileName(name), name)
      })
    )
  })
})
