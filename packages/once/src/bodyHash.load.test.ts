import { isDeepStrictEqual } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import * as fc from "fast-check"
import { bodyHash } from "./bodyHash.ts"

const key = Buffer.alloc(32, 1)
const hash = (body: unknown, under: Uint8Array = key) => Effect.runSync(bodyHash(under, body))

describe("bodyHash", () => {
  it("does not depend on the order of fields, and does on every value", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), fc.integer(), (body, name, value) => {
        const reversed = Object.fromEntries(Object.entries(body).reverse())
        assert.strictEqual(hash(reversed), hash(body))
        fc.pre(body[name] !== value)
        assert.notStrictEqual(hash({ ...body, [name]: value }), hash(body))
      })
    )
  })

  it("two bodies have one hash exactly when they are the same JSON", () => {
    // Few letters, so that equal texts, and texts that differ only in their boundaries, occur.
    const text = fc.string({ unit: fc.constantFrom("a", "1", ":", ";", '"', "{"), maxLength: 3 })
    const { json } = fc.letrec((tie) => ({
      json: fc.oneof(
        { maxDepth: 3 },
        text,
        fc.integer({ min: 0, max: 11 }),
        fc.constantFrom(null, true, "true", "null", "1"),
        fc.array(tie("json"), { maxLength: 2 }),
        fc.dictionary(text, tie("json"), { maxKeys: 2, noNullPrototype: true })
      )
    }))
    fc.assert(
      fc.property(json, json, (first, second) => {
        assert.strictEqual(hash(first) === hash(second), isDeepStrictEqual(first, second))
      }),
      { numRuns: 2000 }
    )
  })

  it("a field that is absent is one that is undefined; a moment counts as its text", () => {
    assert.strictEqual(hash({ a: 1, b: undefined }), hash({ a: 1 }))
    const at = (millis: number) => hash({ at: new Date(millis) })
    assert.strictEqual(at(0), hash({ at: "1970-01-01T00:00:00.000Z" }))
    assert.notStrictEqual(at(0), at(1))
  })

  it("cannot be computed without the key", () => {
    const body = { question: "Do you smoke?", answer: "Yes" }
    assert.match(hash(body), /^[0-9a-f]{64}$/)
    assert.notStrictEqual(hash(body, Buffer.alloc(32, 2)), hash(body))
  })

  it("takes JSON of any depth", () => {
    const deep = (depth: number) => {
      let value: unknown = "core"
      for (let level = 0; level < depth; level += 1) value = [value]
      return value
    }
    assert.notStrictEqual(hash(deep(200_000)), hash(deep(200_001)))
  })

  it.effect("lets other fibers run while it hashes a long text or many values", () =>
    Effect.gen(function* () {
      const turnsWhile = Effect.fnUntraced(function* (body: unknown) {
        let turns = 0
        const second = yield* Effect.forkChild(
          Effect.forever(
            Effect.andThen(
              Effect.sync(() => {
                turns += 1
              }),
              Effect.yieldNow
            )
          )
        )
        yield* bodyHash(key, body)
        yield* Fiber.interrupt(second)
        return turns
      })
      assert.isAbove(yield* turnsWhile({ content: "x".repeat(20 * 1024 * 1024) }), 100)
      assert.isAbove(yield* turnsWhile(Array.from({ length: 1_000_000 }, () => 7)), 10)
    })
  )
})
