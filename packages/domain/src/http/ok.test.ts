import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { constant, ok, saying, succeeded } from "./ok.ts"

const data = Schema.Struct({ moment: Schema.DateFromString })
const decoded = { data: { moment: new Date("2026-01-02T03:04:05.000Z") } }
const encoded = { data: { moment: "2026-01-02T03:04:05.000Z" } }

describe("the envelope of a success", () => {
  const Answer = ok({ message: constant("Found"), data })
  const body = { status: 200, success: true, message: "Found", ...encoded }

  it("is added to the result of a handler, in the documented order", () => {
    assert.strictEqual(JSON.stringify(Schema.encodeSync(Answer)(decoded)), JSON.stringify(body))
    const SucceededAnswer = succeeded({ message: saying("Found"), data })
    assert.deepStrictEqual(Schema.encodeSync(SucceededAnswer)(decoded), { success: true, message: "Found", ...encoded })
  })

  it("cannot have other values, neither written nor read", () => {
    assert.deepStrictEqual(Schema.decodeUnknownSync(Answer)(body), {
      status: 200,
      success: true,
      message: "Found",
      ...decoded
    })
    for (const wrong of [{ status: 201 }, { success: false }, { message: "Lost" }, { status: undefined }]) {
      assert.strictEqual(Schema.decodeUnknownExit(Answer)({ ...body, ...wrong })._tag, "Failure")
      assert.strictEqual(Schema.encodeUnknownExit(Answer)({ ...decoded, ...wrong })._tag, "Failure")
    }
  })
})
