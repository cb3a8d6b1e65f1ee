import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as fc from "fast-check"
import { iso31662 } from "iso-3166"
import { Country, UsState, ZipCode } from "./addressCodes.ts"
import { isLanguage } from "./Language.ts"
import { CalendarTime, isDateOnly, Timestamp } from "./Timestamp.ts"
import { TimeZone } from "./TimeZone.ts"
import { usStates } from "./usStates.ts"

describe("isDateOnly", () => {
  it("accepts every existing day", () => {
    fc.assert(
      fc.property(fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true }), (date) =>
        isDateOnly(date.toISOString().slice(0, 10))
      )
    )
  })

  it("refuses days that do not exist, and texts in another form", () => {
    const days = ["1990-02-30", "1900-02-29", "1990-13-01", "1990-00-10", "0000-01-01"]
    for (const text of [...days, "1990-1-1", "01/02/1990", "", "x"]) assert.isFalse(isDateOnly(text), text)
    assert.isTrue(isDateOnly("2000-02-29"))
  })
})

describe("Timestamp", () => {
  const codec = Schema.toCodecJson(Timestamp)
  const read = Schema.decodeUnknownOption(codec)

  it("reads what it writes, and the same moment with any offset", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true }),
        (moment) => assert.deepStrictEqual(Schema.decodeUnknownSync(codec)(Schema.encodeSync(codec)(moment)), moment)
      )
    )
    for (const text of [
      "2026-08-01T12:00:00+02:00",
      "2026-08-01T10:00:00.000000Z",
      "2026-08-01t05:30:00-04:30",
      "2026-08-01T10:00Z",
      "2026-08-01T12:00+02:00",
      "2026-08-01T12:00+02",
      "2026-08-01T05:30-0430"
    ]) {
      assert.deepStrictEqual(Schema.decodeUnknownSync(codec)(text), new Date("2026-08-01T10:00:00Z"), text)
    }
  })

  it("of a calendar is in UTC if it has no offset", () => {
    const calendar = Schema.decodeUnknownSync(Schema.toCodecJson(CalendarTime))
    for (const text of [
      "2026-08-01T10:00",
      "2026-08-01T10:00:00",
      "2026-08-01T10:00:00.000",
      "2026-08-01T12:00+02:00"
    ]) {
      assert.deepStrictEqual(calendar(text), new Date("2026-08-01T10:00:00Z"), text)
    }
    for (const text of ["2026-08-01", "2026-02-30T10:00", "2026-08-01T24:00", "10:00", "soon", ""]) {
      assert.throws(() => calendar(text), /must be a date and time in ISO 8601, such as/, text)
    }
  })

  it("refuses texts that are no date and time of ISO 8601, though JavaScript reads them", () => {
    const texts = ["1", "2026", "2026-08-01", "2026-08-01T10:00:00", "2026-02-30T10:00:00Z", "2026-08-01T24:00:00Z"]
    for (const text of texts) assert.isFalse(Number.isNaN(Date.parse(text)), text)
    for (const text of [
      ...texts,
      "",
      "soon",
      "2026-13-01T10:00:00Z",
      "2026-08-01T10:00:61Z",
      "2026-08-01T10:00:00+25:00",
      "2026-08-01T10:00",
      "2026-08-01T10Z",
      "2026-08-01 10:00Z"
    ]) {
      assert.strictEqual(read(text)._tag, "None", text)
    }
  })
})

describe("codes", () => {
  const passes = (schema: Schema.Codec<string, string>, text: string) =>
    Schema.decodeUnknownOption(schema)(text)._tag === "Some"

  it("a state is one of the USA's, in any letter case", () => {
    assert.strictEqual(Schema.decodeUnknownSync(UsState)("ca"), "CA")
    for (const code of ["CA", "ny", "PR", "dc"]) assert.isTrue(passes(UsState, code), code)
    for (const code of ["", "C", "XX", "ON", "CAL", "California", "US-CA"]) assert.isFalse(passes(UsState, code), code)
  })

  it("the states are those of ISO 3166-2, with their names", () => {
    const listed = iso31662.filter(({ parent }) => parent === "US").map(({ code, name }) => [code.slice(3), name])
    assert.deepStrictEqual([...usStates], listed)
  })

  it("a country is one of ISO 3166-1, in any letter case", () => {
    assert.strictEqual(Schema.decodeUnknownSync(Country)("us"), "US")
    for (const code of ["", "U", "USA", "XX", "ZZ", "UK"]) assert.isFalse(passes(Country, code), code)
  })

  it("a language is one of ISO 639, with or without region", () => {
    for (const code of ["en", "es", "EN", "haw", "hmn", "fre", "fra", "en-US", "zh-Hans-CN"]) {
      assert.isTrue(isLanguage(code), code)
    }
    for (const code of ["", "e", "xx", "english", "en_US", "en-", "zzz", "12"]) assert.isFalse(isLanguage(code), code)
  })

  it("a ZIP code is 5 digits or 5+4", () => {
    for (const code of ["94105", "94105-1234"]) assert.isTrue(passes(ZipCode, code), code)
    for (const code of ["", "9410", "941051", "94105-", "94105-123", "94105 1234", "9410a"]) {
      assert.isFalse(passes(ZipCode, code), code)
    }
  })
})

describe("TimeZone", () => {
  const isZone = Schema.is(TimeZone)

  it("accepts every zone of the runtime, and the older names of IANA, and does not change them", () => {
    const zones = Intl.supportedValuesOf("timeZone")
    assert.isAbove(zones.length, 400)
    for (const zone of [...zones, "UTC", "Etc/GMT+5", "US/Pacific", "Asia/Kolkata", "Asia/Calcutta", "Europe/Kyiv"]) {
      assert.strictEqual(Schema.decodeUnknownSync(TimeZone)(zone), zone)
    }
  })

  it("refuses offsets, which the runtime accepts, and texts that are no zone", () => {
    for (const offset of ["+02:00", "-0500", "+14"]) {
      assert.doesNotThrow(() => new Intl.DateTimeFormat("en", { timeZone: offset }))
      assert.isFalse(isZone(offset), offset)
    }
    for (const text of ["", " UTC", "Z", "GMT+2", "local", "Mars/Olympus", "America/New York", "x".repeat(65)]) {
      assert.isFalse(isZone(text), text)
    }
  })
})
