import { assert, it } from "@effect/vitest"
import { endpoints } from "../endpoints.ts"
import { encodeError } from "./encodeError.ts"
import { RequestInvalid } from "./RequestErrors.ts"

it("every endpoint that takes a body from outside answers one that cannot be read with 400 in a form of its own", () => {
  const reason = "must be application/json, in UTF-8"
  const unreadable = new RequestInvalid({ part: "payload", path: "body", reason })
  let checked = 0
  for (const { caller, endpoint } of endpoints) {
    if (endpoint.payload.size === 0 || caller === "service") continue
    checked += 1
    const encoded = encodeError(endpoint, unreadable)
    assert.strictEqual(encoded?.status, 400, endpoint.path)
    assert.match(encoded?.contentType ?? "", /^application\/(problem\+)?json$/)
  }
  assert.isAbove(checked, 15)
})
