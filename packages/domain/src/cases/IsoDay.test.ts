import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"
import * as fc from "fast-check"
import { IsoDay } from "./IsoDay.ts"

describe("IsoDay", () => {
  const read = Schema.decodeUnknownOption(IsoDay)
  const moments = fc.date({ min: new Date("0001-01-02"), max: new Date("9999-12-30"), noInvalidDate: true })

  it("reads a day as itself, and a moment with any offset as its day in UTC", () => {
    fc.assert(
      fc.property(moments, fc.integer({ min: -23 * 60, max: 23 * 60 }), (moment, offsetMinutes) => {
        const day = moment.toISOString().slice(0, 10)
        assert.deepStrictEqual(read(day), Option.some(day))
        assert.deepStrictEqual(read(moment.toISOString()), Option.some(day))
        assert.deepStrictEqual(read(moment.toISOString().slice(0, 16)), Option.some(day))
        const local = new Date(moment.getTime() + offsetMinutes * 60_000).toISOString().slice(0, -1)
        const [hours, minutes] = [Math.floor(Math.abs(offsetMinutes) / 60), Math.abs(offsetMinutes) % 60]
        const two = (value: number) => String(value).padStart(2, "0")
        const written = `${local}${offsetMinutes < 0 ? "-" : "+"}${two(hours)}:${two(minutes)}`
        assert.deepStrictEqual(read(written), Option.some(day), written)
      })
    )
  })

  it("refuses a text that is no day, and a moment that is no day in UTC", () => {
    for (const text of [
      "",
      "soon",
      "2026-02-29",
      "2026-2-1",
      "2026-13-01",
      " 2026-01-01",
      "2026-01-01T",
      "2026-01-01T24:00:00Z",
      "2026-01-01T10Z",
      "2026-02-30T00:00:00Z",
      "2026-01-01T00:00:00+25:00",
      "9999-12-31T23:59:59-05:00"
    ]) {
      assert.isTrue(Option.isNone(read(text)), text)
    }
  })
})
