import { Schema } from "effect"
import { lengths } from "../http/bounds.ts"
import { nonBlankUpTo } from "../http/Text.ts"

// `P.O. Box`, `PO Box`, `P O Bx`, `POBOX12`, `PO Drawer`; `POB 12`; `Post Office Box`, `Postal Box`; a line with only `Box 12`. A longer word
// (`Boxwood`, `Boxer`) and a box without a number in the name of a street (`Box Elder`) do not match.
const postOfficeBoxes = [
  /\bp\W{0,3}[o0]\W{0,3}(box|bx|drawer)(?![a-z])/i,
  /\bp\W{0,3}[o0]\W{0,3}b\W{0,3}(no\W{0,2}|number\W{0,2})?\d/i,
  /\bpost(al)?\W{0,3}(office)?\W{0,3}(box|bx|drawer)(?![a-z])/i,
  /^\s*(box|bx)\W{0,3}(no\W{0,2}|number\W{0,2})?\d+[a-z]?\s*(,|$)/i
]

/** Whether a line of an address names a post office box. */
export const isPostOfficeBox = (line: string): boolean => postOfficeBoxes.some((form) => form.test(line))

/** A street with its house number, which is no post office box. */
export const StreetAddress = nonBlankUpTo(lengths.line)
  .annotate({ description: "A street with its house number, not a PO box" })
  .check(Schema.makeFilter((line: string) => (isPostOfficeBox(line) ? "must not be a PO box" : undefined)))
