import { Option, Schema, String as Text } from "effect"
import { type KeyColumns, keyTypes, type SealedTable } from "./SealedTable.ts"

/** A position in the sealed tables: after the row with a key, or at the beginning of a table. */
export interface SealedPosition {
  readonly table: SealedTable
  readonly after: ReadonlyArray<string> | null
}

/** At least one table. */
export type SealedTables = readonly [SealedTable, ...ReadonlyArray<SealedTable>]

// The index of a table, and the key of a row.
const Position = Schema.fromJsonString(Schema.Tuple([Schema.Int, Schema.NullOr(Schema.Array(Schema.String))]))
const decode = Schema.decodeUnknownOption(Position)
const encode = Schema.encodeSync(Position)

const isKeyOf = ({ key }: SealedTable, values: ReadonlyArray<string>): boolean => {
  const types = Object.values(key)
  return values.length === types.length && types.every((type, at) => keyTypes[type](values[at] ?? ""))
}

/** Returns the position after a row. */
export const afterRow = (table: SealedTable, row: KeyColumns): SealedPosition => ({
  table,
  after: Object.keys(table.key).map((name) => String(row[Text.snakeToCamel(name)]))
})

/** Makes the functions that read, write and advance positions. */
export const sealedPositions = (tables: SealedTables) => ({
  /** Parses a position. A text that is none is the beginning. */
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
