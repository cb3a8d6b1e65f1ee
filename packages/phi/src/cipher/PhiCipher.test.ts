import { anyCharacter } from "@care/domain/testing"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { layerTestCipherWith, makePhiKey } from "../testing/layerTestCipher.ts"
import { PhiCipher } from "./PhiCipher.ts"

const cipherWith = (...keys: ReadonlyArray<string>) => Effect.provide(PhiCipher, layerTestCipherWith(...keys))

const k1 = makePhiKey("k1")

describe("PhiCipher", () => {
  it.effect("says what is wrong with PHI_KEY", () =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(cipherWith("short"))
      assert.include(message, "PHI_KEY has to be")
      const missing = yield* Effect.flip(cipherWith())
      assert.include(missing.message, "PHI_KEY is missing")
    })
  )

  it.effect("text and bytes open only in their place, unchanged and whole, and are never sealed to the same", () =>
    Effect.gen(function* () {
      const cipher = yield* cipherWith(k1)
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 100 }), fc.string(), fc.string(), (bytes, place, other) => {
          const sealed = cipher.sealBytes(bytes, place)
          assert.deepStrictEqual(cipher.openBytes(sealed, place), Buffer.from(bytes))
          assert.notDeepEqual(cipher.sealBytes(bytes, place), sealed)
          if (other !== place) assert.throws(() => cipher.openBytes(sealed, other))
        })
      )
      fc.assert(
        fc.property(fc.string({ unit: anyCharacter }), fc.string(), fc.string(), (text, place, other) => {
          const sealed = cipher.seal(text, place)
          assert.strictEqual(cipher.open(sealed, place), text)
          assert.notStrictEqual(cipher.seal(text, place), sealed)
          assert.match(sealed, /^k1:/)
          if (other !== place) assert.throws(() => cipher.open(sealed, other))
        })
      )
      const sealed = cipher.sealBytes(Buffer.from("contents"), "a/0")
      for (let index = 0; index < sealed.length; index += 1) {
        const changed = Buffer.from(sealed)
        changed[index] = (changed[index] ?? 0) ^ 1
        assert.throws(() => cipher.openBytes(changed, "a/0"))
        assert.throws(() => cipher.openBytes(sealed.subarray(0, index), "a/0"))
      }
    })
  )

  it.effect("rotates: the first key seals, older ones open what they sealed", () =>
    Effect.gen(function* () {
      const cipher = yield* cipherWith(k1)
      const rotated = yield* cipherWith(makePhiKey("k2"), k1)
      const contents = Buffer.from("contents")
      assert.deepStrictEqual(rotated.openBytes(cipher.sealBytes(contents, "a/0"), "a/0"), contents)
      assert.strictEqual(rotated.open(cipher.seal("text", "a/0"), "a/0"), "text")
      assert.match(rotated.seal("text", "a/0"), /^k2:/)
      assert.throws(
        () => cipher.openBytes(rotated.sealBytes(contents, "a/0"), "a/0"),
        "none of the keys in PHI_KEY (k1)"
      )
    })
  )

  it.effect("an error has the key and the beginning of the place, and no content", () =>
    Effect.gen(function* () {
      const cipher = yield* cipherWith(k1)
      const sealed = cipher.sealBytes(Buffer.from("contents"), "table.column/row")
      assert.throws(
        () => cipher.openBytes(sealed, "table.column/other"),
        /^table\.column does not open with the key k1: it was changed, or sealed for another place$/
      )
      const noKey = /^table\.column does not open: it was sealed with none of the keys in PHI_KEY \(k1\)$/
      assert.throws(() => cipher.openBytes(Buffer.from("\u0005plain text"), "table.column/row"), noKey)
      assert.throws(() => cipher.open("weight: 80 kg", "table.column/row"), noKey)
    })
  )
})
