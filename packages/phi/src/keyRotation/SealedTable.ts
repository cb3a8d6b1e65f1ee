import { isStorable } from "@care/domain/http"
import { Uuid } from "@care/domain/ids"
import { Schema } from "effect"
import type { SealedRow } from "../sealed/sealedRow.ts"

/** Types of the columns of a primary key, and whether a text is one of their values. */
export const keyTypes = {
  uuid: Schema.is(Uuid),
  text: isStorable,
  integer: (text: string): boolean => /^\d{1,9}$/.test(text)
}

/** Columns of a row by which it is known: a number is one in the place of a value, too. */
export type KeyColumns = Readonly<Record<string, string | number>>

/**
 * A column that `PHI_KEY` itself seals, of rows that have nothing of a patient, or nothing yet: text, or bytes. `key` are the
 * columns of its primary key with their types; `placeOf` says what a value is sealed for, by those columns and by `beside`,
 * with the names that rows have here, in a schema.
 */
export interface SealedTable {
  readonly table: string
  readonly column: string
  readonly isBytes?: true
  readonly key: Readonly<Record<string, keyof typeof keyTypes>>
  readonly beside?: ReadonlyArray<string>
  readonly placeOf: (row: KeyColumns, schema: string) => string
}

/** A column of a `sealedRow`. */
export const sealedTable = (
  { key: parts, table }: Pick<SealedRow<Schema.Top, Schema.Top>, "table" | "key">,
  column: string,
  key: SealedTable["key"]
): SealedTable => ({
  table,
  column,
  key,
  placeOf: (row) => `${table}.${column}/${JSON.stringify(parts.map((part) => row[part]))}`
})
