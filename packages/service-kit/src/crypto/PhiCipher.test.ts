import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import * as fc from "fast-check"
import { PhiCipher } from "./PhiCipher.ts"

const key = (id: string, byte: number) => `${id}:${Buffer.alloc(32, byte).toString("base64")}`

const cipherWith = (keys: string) =>
  Effect.provide(
    PhiCipher,
    PhiCipher.layer.pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env: { PHI_KEY: keys } }))))
  )

describe("PhiCipher", () => {
  it.effect("opens what it sealed, whatever the text, and never seals to the same twice", () =>
    Effect.gen(function* () {
      const cipher = yield* cipherWith(key("k1", 1))
      fc.assert(
        fc.property(fc.string({ unit: "binary" }), (text) => {
          const sealed = cipher.seal(text)
          assert.strictEqual(cipher.open(sealed), text)
          assert.notStrictEqual(cipher.seal(text), sealed)
          assert.match(sealed, /^k1:/)
        })
      )
    })
  )

  it.effect("rotates: the first key seals, older ones still open", () =>
    Effect.gen(function* () {
      const old = (yield* cipherWith(key("k1", 1))).seal("text")
      const rotated = yield* cipherWith(`${key("k2", 2)},${key("k1", 1)}`)
      assert.strictEqual(rotated.open(old), "text")
      assert.match(rotated.seal("text"), /^k2:/)
    })
  )

  it.effect("does not open what was changed, or sealed with a key that is gone", () =>
    Effect.gen(function* () {
      const cipher = yield* cipherWith(key("k1", 1))
      const sealed = cipher.seal("text")
      const bytes = Buffer.from(sealed.slice(3), "base64")
      for (let index = 0; index < bytes.length; index += 1) {
        const changed = Buffer.from(bytes)
        changed[index] = (changed[index] ?? 0) ^ 1
        assert.throws(() => cipher.open(`k1:${changed.toString("base64")}`))
      }
      assert.throws(() => cipher.open(`k0:${sealed.slice(3)}`))
    })
  )

  it.effect("says what is wrong with PHI_KEY", () =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(cipherWith("short"))
      assert.include(message, "PHI_KEY must be")
      const missing = yield* Effect.flip(
        Effect.provide(
          PhiCipher,
          PhiCipher.layer.pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env: {} }))))
        )
      )
      assert.include(missing.message, "PHI_KEY is missing")
    })
  )

  it.effect("bytes open only as what they were sealed, unchanged and whole; keys rotate for them, too", () =>
    Effect.gen(function* () {
      const cipher = yield* cipherWith(key("k1", 1))
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 100 }), fc.string(), fc.string(), (bytes, boundTo, other) => {
          const sealed = cipher.sealBytes(bytes, boundTo)
          assert.deepStrictEqual(cipher.openBytes(sealed, boundTo), Buffer.from(bytes))
          if (other !== boundTo) assert.throws(() => cipher.openBytes(sealed, other))
        })
      )
      const sealed = cipher.sealBytes(Buffer.from("contents"), "a/0")
      for (let index = 0; index < sealed.length; index += 1) {
        const changed = Buffer.from(sealed)
        changed[index] = (changed[index] ?? 0) ^ 1
        assert.throws(() => cipher.openBytes(changed, "a/0"))
        assert.throws(() => cipher.openBytes(sealed.subarray(0, index), "a/0"))
      }
      const rotated = yield* cipherWith(`${key("k2", 2)},${key("k1", 1)}`)
      assert.strictEqual(rotated.openBytes(sealed, "a/0").toString(), "contents")
      assert.throws(() => cipher.openBytes(rotated.sealBytes(Buffer.from("contents"), "a/0"), "a/0"))
    })
  )
})
