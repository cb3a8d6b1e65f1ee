import { assert, describe, it } from "@effect/vitest"
import { Duration } from "effect"
import { classifyResponse, retryAfterOf } from "./classifyResponse.ts"

const now = new Date("2026-01-01T00:00:00Z")
const classified = (status: number, retryAfter?: string) => classifyResponse({ status, retryAfter }, now)

describe("classifyResponse", () => {
  it("2xx is delivered, everything else is not, and 410 is gone for good", () => {
    for (const status of [200, 201, 204, 299]) assert.strictEqual(classified(status).outcome, "DELIVERED")
    for (const status of [199, 301, 307, 400, 404, 429, 500, 503]) {
      assert.strictEqual(classified(status).outcome, "FAILED")
    }
    assert.strictEqual(classified(410).outcome, "GONE")
    assert.strictEqual(classifyResponse(undefined, now).outcome, "FAILED")
  })

  it("429, 502 and 504 slow the endpoint down, for as long as it says", () => {
    for (const status of [429, 502, 504]) {
      assert.deepStrictEqual(classified(status).slowFor, Duration.seconds(30))
      assert.deepStrictEqual(classified(status, "90").slowFor, Duration.millis(90_000))
    }
    for (const status of [200, 410, 500, 503]) assert.isUndefined(classified(status, "90").slowFor)
  })

  it("Retry-After is seconds or a date, never in the past, never more than a day, and nothing else", () => {
    const seconds = (header: string) => {
      const read = retryAfterOf(header, now)
      return read === undefined ? undefined : Duration.toSeconds(read)
    }
    assert.strictEqual(seconds("120"), 120)
    assert.strictEqual(seconds("Thu, 01 Jan 2026 01:00:00 GMT"), 3600)
    assert.strictEqual(seconds("Wed, 31 Dec 2025 01:00:00 GMT"), 0)
    assert.strictEqual(seconds("9".repeat(400)), 86_400)
    for (const header of ["", "-1", "1.5", "soon", "1e3", "Infinity"]) assert.isUndefined(seconds(header), header)
  })
})
