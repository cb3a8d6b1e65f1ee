import { assert, it } from "@effect/vitest"
import { DateTime } from "effect"
import { timeAfter } from "./ClockAdvance.ts"

it("a duration is added from its years to its seconds, as the calendar has them", () => {
  for (const [from, duration, to] of [
    ["2027-01-31T12:00:00Z", "P1M", "2027-02-28T12:00:00Z"],
    ["2028-01-31T12:00:00Z", "P1M", "2028-02-29T12:00:00Z"],
    ["2028-02-29T12:00:00Z", "P1Y", "2029-02-28T12:00:00Z"],
    ["2028-02-29T12:00:00Z", "P4Y", "2032-02-29T12:00:00Z"],
    ["2028-02-29T12:00:00Z", "P3Y12M", "2032-02-29T12:00:00Z"],
    ["2027-02-28T12:00:00Z", "P1M1DT36H", "2027-03-31T00:00:00Z"],
    ["2027-10-31T23:59:59Z", "P1M2W1DT1H1M1S", "2027-12-16T01:01:00Z"],
    ["2027-10-31T23:59:59Z", "P", "2027-10-31T23:59:59Z"]
  ] as const) {
    const time = timeAfter(DateTime.makeUnsafe(from), duration)
    assert.deepStrictEqual(DateTime.toDateUtc(time), new Date(to), duration)
  }
})
