import * as fc from "fast-check"

const surrogates = { from: 0xd800, count: 0x800 }

/**
 * Any character without unpaired surrogates. The library's unit `binary` is the same, but first builds a table of a
 * million characters in each process.
 */
export const anyCharacter = fc.nat(0x10ffff - surrogates.count).map(
  (index) => String.fromCodePoint(index < surrogates.from ? index : index + surrogates.count),
  (text) => {
    const point = typeof text === "string" ? text.codePointAt(0) : undefined
    if (point === undefined || text !== String.fromCodePoint(point)) throw new Error("not one character")
    return point < surrogates.from ? point : point - surrogates.count
  }
)
