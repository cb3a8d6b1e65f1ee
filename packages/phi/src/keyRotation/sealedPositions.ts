import { Option, Schema, String as Text } from "effect"
import { type KeyColumns, keyTypes, type SealedTable } from "./SealedTable.ts"

/** Where a walk through tables goes on: in a table, after the row with a key or at the first one. */
export interface SealedPosition {
  readonly table: SealedTable
  readonly after: ReadonlyArray<string> | null
}

/** Tables of which there is one. */
export type SealedTables = readonly [SealedTable, ...ReadonlyArray<SealedTable>]

// The number of a table, and the key of a row of it.
const Position = Schema.fromJsonString(Schema.Tuple([Schema.Int, Schema.NullOr(Schema.Array(Schema.String))]))
const decode = Schema.decodeUnknownOption(Position)
const encode = Schema.encodeSync(Position)

const isKeyOf = ({ key }: SealedTable, values: ReadonlyArray<string>): boolean => {
  const types = Object.values(key)
  return values.length === types.length && types.every((type, at) => keyTypes[type](values[at] ?? ""))
}

/** The position after a row. */
export const afterRow = (table: SealedTable, row: KeyColumns): SealedPosition => ({
  table,
  after: Object.keys(table.key).map((name) => String(row[Text.snakeToCamel(name)]))
})

/** The positions in tables, and their texts. */
export const sealedPositions = (tables: SealedTables) => ({
  /** The position that a text says; one that says none is the beginning. */
  read: (text: string | undefined): SealedPosition => {
    const [at, after] = Option.getOrElse(decode(text), () => [0, null] as const)
    const table = tables[at]
    if (table === undefined || (after !== null && !isKeyOf(table, after))) return { table: tables[0], after: null }
    return { table, after }
  },

  write: ({ after, table }: SealedPosition): string => encode([tables.indexOf(table), after]),

  /** The beginning of the table that follows; undefined after the last. */
  afterTable: (table: SealedTable): SealedPosition | undefined => {
    const next = tables[tables.indexOf(table) + 1]
    return next && { table: next, after: null }
  }
})
