import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { constant, ok, saying, succeeded } from "./ok.ts"

const data = Schema.Struct({ moment: Schema.DateFromString })
const inside = { data: { moment: new Date("2026-01-02T03:04:05.000Z") } }
const written = { data: { moment: "2026-01-02T03:04:05.000Z" } }

describe("the envelope of a success", () => {
  const Answer = ok({ message: constant("Found"), data })
  const body = { status: 200, success: true, message: "Found", ...written }

  it("is written around what a handler returns, in the order that is documented", () => {
    assert.strictEqual(JSON.stringify(Schema.encodeSync(Answer)(inside)), JSON.stringify(body))
    const said = succeeded({ message: saying("Found"), data })
    assert.deepStrictEqual(Schema.encodeSync(said)(inside), { success: true, message: "Found", ...written })
  })

  it("cannot be written otherwise, and is what a reader has to find", () => {
    assert.deepStrictEqual(Schema.decodeUnknownSync(Answer)(body), {
      status: 200,
      success: true,
      message: "Found",
      ...inside
    })
    for (const wrong of [{ status: 201 }, { success: false }, { message: "Lost" }, { status: undefined }]) {
      assert.strictEqual(Schema.decodeUnknownExit(Answer)({ ...body, ...wrong })._tag, "Failure")
      assert.strictEqual(Schema.encodeUnknownExit(Answer)({ ...inside, ...wrong })._tag, "Failure")
    }
  })
})
