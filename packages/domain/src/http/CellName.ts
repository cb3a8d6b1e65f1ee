import { Schema } from "effect"
import { cellNameForm, isCellName, maxCellName } from "../cells.ts"
import { textUpTo } from "./Text.ts"

/** The name of a cell, in a request of an operator. */
export const CellName = textUpTo(maxCellName).check(
  Schema.makeFilter((name: string) => (isCellName(name) ? undefined : `must be ${cellNameForm}`))
)
