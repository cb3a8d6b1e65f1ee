import * as fc from "fast-check"

const surrogates = { from: 0xd800, count: 0x800 }

/**
 * Any character but half ones. The library's own unit `binary` is the same, and makes a table of all million of them in
 * each process before it yields the first.
 */
export const anyCharacter = fc.nat(0x10ffff - surrogates.count).map(
  (index) => String.fromCodePoint(index < surrogates.from ? index : index + surrogates.count),
  (text) => {
    const point = typeof text === "string" ? text.codePointAt(0) : undefined
    if (point === undefined || text !== String.fromCodePoint(point)) throw new Error("not one character")
    return point < surrogates.from ? point : point - surrogates.count
  }
)
