import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { rangeOf } from "./rangeOf.ts"

const now = new Date("2028-02-29T12:00:00.000Z")
const range = (query: Parameters<typeof rangeOf>[0]) =>
  Effect.map(rangeOf(query, now), ({ from, to }) => [from.toISOString(), to.toISOString()])

describe("rangeOf", () => {
  it.effect("days are in UTC, from their first to their last millisecond, also leap days", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* range({ start_date: "2032-02-29", end_date: "2032-02-29" }), [
        "2032-02-29T00:00:00.000Z",
        "2032-02-29T23:59:59.999Z"
      ])
      assert.deepStrictEqual(yield* range({ start_date: "2028-03-26", end_date: "2028-10-29" }), [
        "2028-03-26T00:00:00.000Z",
        "2028-10-29T23:59:59.999Z"
      ])
    })
  )

  it.effect("a range begins now at the earliest, with days and with a user alone", () =>
    Effect.gen(function* () {
      const today = { start_date: "2028-02-29", end_date: "2028-02-29" }
      assert.deepStrictEqual(yield* range(today), [now.toISOString(), "2028-02-29T23:59:59.999Z"])
      const past = yield* range({ start_date: "2027-01-01", end_date: "2027-01-02", user_email: "maria@example.com" })
      assert.deepStrictEqual(past, [now.toISOString(), "2027-01-02T23:59:59.999Z"])
      assert.strictEqual((yield* range({ user_email: "maria@example.com" }))[0], now.toISOString())
    })
  )

  it.effect("a single day, reversed days, and a query with neither days nor a user are refused", () =>
    Effect.gen(function* () {
      for (const [query, problem] of [
        [{}, "missing"],
        [{ start_date: "2028-03-01" }, "incomplete"],
        [{ end_date: "2028-03-01", user_email: "maria@example.com" }, "incomplete"],
        [{ start_date: "2028-03-02", end_date: "2028-03-01" }, "reversed"]
      ] as const) {
        assert.deepInclude(yield* Effect.flip(rangeOf(query, now)), { problem })
      }
    })
  )
})
