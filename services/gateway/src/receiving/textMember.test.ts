import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { textMember } from "./textMember.ts"

const keyIn = (json: string) => Effect.runPromise(textMember(Buffer.from(json), "key"))

it("finds what JSON.parse finds, in any object", () =>
  fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.oneof(fc.string(), fc.constant("key")), fc.jsonValue()),
      fc.option(fc.string(), { nil: undefined }),
      fc.constantFrom(0, 2),
      async (others, key, indent) => {
        const json = JSON.stringify(key === undefined ? others : { ...others, key, zzz: others }, null, indent)
        const expected = JSON.parse(json).key
        assert.strictEqual(await keyIn(json), typeof expected === "string" ? expected : undefined)
      }
    )
  ))

it("takes the last of equal names, also with escapes, and none from nested objects or from inside a text", async () => {
  assert.strictEqual(await keyIn('{"key":"a","key":"b"}'), "b")
  assert.strictEqual(await keyIn('{"key":"a","a name that is longer than any way to write it":"b"}'), "a")
  assert.strictEqual(await keyIn('{"\\u006b\\u0065\\u0079":"a"}'), "a")
  for (const json of ['{"a":{"key":"b"}}', '["key","b"]', '{"a":"\\"key\\":\\"b\\""}', '"key"', '{"key":7}', ""]) {
    assert.isUndefined(await keyIn(json))
  }
})

it("takes time that grows with the size only, whatever is inside", async () => {
  const size = 4 * 1024 * 1024
  for (const filler of ["[", "[],", '\\"', '{"key":']) {
    const began = performance.now()
    await keyIn(`{"key":"here","x":${filler.repeat(size / filler.length)}`)
    assert.isBelow(performance.now() - began, 5000)
  }
})
