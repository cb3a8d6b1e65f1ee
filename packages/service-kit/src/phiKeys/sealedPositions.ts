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

/** The positions in tables, as texts. */
export const sealedPositions = (tables: SealedTables) => ({
  /** The position that a text says; one that says none is the beginning. */
  read: (text: string | undefined): SealedPosition => {
    const [at, after] = Option.getOrElse(decode(text), () => [0, null] as const)
    const table = tables[at]
    if (table === undefined || (after !== null && !isKeyOf(table, after))) return { table: tables[0], after: null }
    return { table, after }
  },

  /** The position after a row of a table, or else of the next table, if there is one. */
  after: (table: SealedTable, row: KeyColumns | undefined): string | null => {
    const at = tables.indexOf(table)
    if (row !== undefined)
      return encode([at, Object.keys(table.key).map((name) => String(row[Text.snakeToCamel(name)]))])
    return at + 1 < tables.length ? encode([at + 1, null]) : null
  }
})
