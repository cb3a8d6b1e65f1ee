import { isStorable } from "@care/domain/http"
import { Uuid } from "@care/domain/ids"
import { Schema } from "effect"
import type { SealedRow } from "../sealed/sealedRow.ts"

/** The types of columns of primary keys, and for each whether a text is a value of it. */
export const keyTypes = {
  uuid: Schema.is(Uuid),
  text: isStorable,
  integer: (text: string): boolean => /^\d{1,9}$/.test(text)
}

/** The columns of a row's key. A number is a number in the place of a sealed value, too. */
export type KeyColumns = Readonly<Record<string, string | number>>

/**
 * A column of text or bytes that `PHI_KEY` itself seals, because its rows have no data of a patient, or none yet. `key` has the columns of
 * the primary key with their types. `placeOf` returns the place of a sealed value from those columns and the columns `beside`, with
 * their names in TypeScript.
 */
export interface SealedTable {
  readonly table: string
  readonly column: string
  readonly isBytes?: true
  readonly key: Readonly<Record<string, keyof typeof keyTypes>>
  readonly beside?: ReadonlyArray<string>
  readonly placeOf: (row: KeyColumns, schema: string) => string
}

/** Declares a sealed column of a `sealedRow`. */
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
