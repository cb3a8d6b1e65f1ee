import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { isWrittenDateRange } from "./dateRange.ts"

const days = fc
  .date({ min: new Date("1900-01-01"), max: new Date("2100-12-31"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

const names = ["January", "Feb", "March", "Apr.", "May", "June", "jul", "AUGUST", "Sept", "October", "Nov.", "December"]

const ordinalOf = (day: number): string => {
  if (day > 10 && day < 20) return "th"
  return { 1: "st", 2: "nd", 3: "rd" }[day % 10] ?? "th"
}

// The ways in which people write a day.
const ways: ReadonlyArray<(year: string, month: number, day: number) => string> = [
  (year, month, day) => `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`,
  (year, month, day) => `${year}/${month}/${day}`,
  (year, month, day) => `${month}/${day}/${year}`,
  (year, month, day) =>
    year < "1969" || year > "2068" ? `${month}/${day}/${year}` : `${month}/${day}/${year.slice(2)}`,
  (year, month, day) => `${names[month - 1]} ${day}, ${year}`,
  (year, month, day) => `${names[month - 1]} ${day}${ordinalOf(day)} ${year}`,
  (year, month, day) => `${day} ${names[month - 1]} ${year}`,
  (year, month, day) => `${day}${ordinalOf(day)} of ${names[month - 1]}, ${year}`
]
const written = (iso: string, way: (typeof ways)[number]) =>
  way(iso.slice(0, 4), Number(iso.slice(5, 7)), Number(iso.slice(8)))
const way = fc.constantFrom(...ways)

// All that Unicode calls a dash, and the minus sign.
const dashes = Array.from({ length: 0x11_0000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter((character) => /^[\p{Pd}\u2212]$/u.test(character))

const separators = [...dashes, ...dashes.map((dash) => ` ${dash} `), "- ", " -", "  -  ", " to ", " until "]

describe("a date range in words", () => {
  it("is two days in order, or the same one twice, in any form, with any dash", () => {
    fc.assert(
      fc.property(days, days, way, way, fc.constantFrom(...separators), (one, other, from, to, dash) => {
        const [start, end] = one <= other ? [one, other] : [other, one]
        const text = `${written(start, from)}${dash}${written(end, to)}`
        assert.isTrue(isWrittenDateRange(text), text)
        const same = `${written(start, from)}${dash}${written(start, to)}`
        assert.isTrue(isWrittenDateRange(same), same)
        if (start === end) return
        const reversed = `${written(end, to)}${dash}${written(start, from)}`
        assert.isFalse(isWrittenDateRange(reversed), reversed)
      })
    )
  })

  it("is what people write", () => {
    for (const text of [
      "January 5, 2024 - indefinite",
      "2024-01-01-2024-02-01",
      "2024-01-01 - 2024-02-01",
      "Jan 1st 2024 - Mar 2024",
      "jan 2024–mar 2024",
      "2019 - 2021",
      "2019-2021",
      "2024",
      "2024-01",
      "1/2024 - 3/2024",
      "2024-01-2024-03",
      "2024 - 2024",
      "Mar 5 2024 - Mar 2024",
      "2024 - Mar 2024",
      "Jan 1 - Mar 3, 2024",
      "Jan - Mar 2024",
      "Dec 20 - Jan 5, 2024",
      "Feb 29 - Mar 3, 2024",
      "5 Jan 2024 - present",
      "2023-now",
      "January 2020 to Today",
      " 1/5/2024\t-\n2/5/2024 ",
      "2024-01-01-Indefinite",
      "1/5/24 - 2/5/24",
      "12/20/99-1/5/00",
      "1/5/24 - present",
      "Jan 1 - Mar 5 2024",
      "Jan 1 2024 - Mar 5",
      "January 5th, 2024 to March",
      "Dec 20, 2023 - Jan 5",
      "Feb 1 2024 - Feb 29",
      "1/5 - 2/5/24",
      "1/5/2024 - 2/5",
      "2024-01-05 - 2/5"
    ]) {
      const isOneDate = text === "2024" || text === "2024-01"
      assert.strictEqual(isWrittenDateRange(text), !isOneDate, text)
    }
  })

  it("is nothing else", () => {
    for (const text of [
      "",
      "-",
      "soon - later",
      "- indefinite",
      "indefinite - 2024",
      "indefinite",
      "present - indefinite",
      "January 5, 2024",
      "2024-01-05",
      "Jan 5 - present",
      "Jan - Mar",
      "Jan 1 - Mar 5",
      "1/5 - 2/5",
      "1/5/24",
      "1/24 - 3/24",
      "2/5/24 - 1/5/24",
      "1/5/00 - 12/20/99",
      "13/1/24 - 14/1/24",
      "1/5/024 - 2/5/024",
      "Mar 1 2022 - Feb 29",
      "Jan-2024",
      "2024-Mar",
      "2024 - Mar 5",
      "Jan 1 2024 - 5",
      "February 30, 2024 - indefinite",
      "2024-02-30 - indefinite",
      "Feb 29 - Mar 3, 2023",
      "2023-02-29 - 2023-03-01",
      "13/1/2024 - 14/1/2024",
      "2024 - 2023",
      "Mar 2024 - Jan 2024",
      "Mar 2024 - Feb 29 2024",
      "555-2345",
      "5551-2345",
      "0 2024 - 2025",
      "Jan 0 2024 - 2025",
      "Marc 2024 - 2025",
      "yes 2024 - no 2025",
      "2024-01-01 - 2024-02-01 - 2024-03-01",
      "2024-01-01 - 2024-02-01, and then again",
      "185 - 190",
      "x".repeat(300)
    ]) {
      assert.isFalse(isWrittenDateRange(text), text)
    }
  })

  it("is decided quickly for the longest texts", () => {
    for (const text of [
      "-".repeat(200),
      "2024-".repeat(40),
      " ".repeat(200),
      "a- ".repeat(66),
      "1/5/24 - ".repeat(22),
      "jan 1 - ".repeat(25),
      `2024${" -".repeat(98)}`
    ]) {
      assert.isFalse(isWrittenDateRange(text), text)
    }
    assert.isFalse(isWrittenDateRange(`2024${" ".repeat(100_000)}- 2025`))
  })
})
