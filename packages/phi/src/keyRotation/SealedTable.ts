import { isStorable } from "@care/domain/http"
import { Uuid } from "@care/domain/ids"
import { Option, Schema, String as Text } from "effect"
import type { SealedRow } from "../sealed/sealedRow.ts"

// The types of primary key columns, each with a check that a text is a value of it.
const keyTypes = {
  uuid: Schema.is(Uuid),
  text: isStorable,
  integer: (text: string): boolean => /^\d{1,9}$/.test(text)
}

// The columns of a key of a row. Numbers stay numbers in the place of a sealed value.
type KeyColumns = Readonly<Record<string, string | number>>

/**
 * A column that `PHI_KEY` itself seals, because its rows have no data of a patient, or none yet. `key` has the columns of the primary key
 * with their types. `placeOf` returns the place of a sealed value from those columns and the columns `beside`.
 */
export interface SealedTable {
  readonly table: string
  readonly column: string
  readonly isBytes?: true
  readonly key: Readonly<Record<string, keyof typeof keyTypes>>
  readonly beside?: ReadonlyArray<string>
  readonly placeOf: (row: KeyColumns, schema: string) => string
}

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

/** A position in the sealed tables: after the row with a key, or at the beginning of a table. */
export interface SealedPosition {
  readonly table: SealedTable
  readonly after: ReadonlyArray<string> | null
}

export type SealedTables = readonly [SealedTable, ...ReadonlyArray<SealedTable>]

// The index of a table, and the key of a row.
const Position = Schema.fromJsonString(Schema.Tuple([Schema.Int, Schema.NullOr(Schema.Array(Schema.String))]))
const decode = Schema.decodeUnknownOption(Position)
const encode = Schema.encodeSync(Position)

const isKeyOf = ({ key }: SealedTable, values: ReadonlyArray<string>): boolean => {
  const types = Object.values(key)
  return values.length === types.length && types.every((type, at) => keyTypes[type](values[at] ?? ""))
}

export const afterRow = (table: SealedTable, row: KeyColumns): SealedPosition => ({
  table,
  after: Object.keys(table.key).map((name) => String(row[Text.snakeToCamel(name)]))
})

/** Makes the functions that read, write and advance positions. */
export const sealedPositions = (tables: SealedTables) => ({
  /** Parses a position. Returns the beginning if the text is not a position. */
  read: (text: string | undefined): SealedPosition => {
    const [at, after] = Option.getOrElse(decode(text), () => [0, null] as const)
    const table = tables[at]
    if (table === undefined || (after !== null && !isKeyOf(table, after))) return { table: tables[0], after: null }
    return { table, after }
  },

  write: ({ after, table }: SealedPosition): string => encode([tables.indexOf(table), after]),

  /** Returns the beginning of the next table, or undefined after the last one. */
  afterTable: (table: SealedTable): SealedPosition | undefined => {
    const next = tables[tables.indexOf(table) + 1]
    return next && { table: next, after: null }
  }
})
