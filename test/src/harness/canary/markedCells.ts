import { Effect, String as Text } from "effect"
import { inEveryDatabase } from "../database.ts"
import { camelCased, jsonOf, type OpenedRow } from "../openEverything.ts"
import { containsMarker, healthMarker, personMarkers } from "./markers.ts"

type Row = Readonly<Record<string, unknown>>

/** A cell that contains a marker, plain or after decryption. Columns are named as in the services. */
interface MarkedCell {
  /** `cases.comments` */
  readonly table: string
  readonly column: string
  readonly row: Row
  readonly value: unknown
  /** The id of the key that opened the cell; undefined if it is not sealed. */
  readonly keyId: string | undefined
}

/** An export of a patient: its rows by service and table. */
export type Exported = Readonly<Record<string, Readonly<Record<string, ReadonlyArray<Row>>>>>

const exportParts: Readonly<Record<string, string>> = {
  auth: "profile",
  cases: "treatment",
  payments: "payments",
  scheduling: "appointments"
}

const isMarked = (value: unknown): boolean => {
  const text = jsonOf(value)
  return [healthMarker, ...personMarkers].some((marker) => containsMarker(text, marker))
}

/** Returns the column of a cell: `cases.comments.text`. */
export const placeOf = ({ column, table }: MarkedCell): string => `${table}.${Text.camelToSnake(column)}`

/** Returns all cells that contain a marker of a patient. */
export const markedCellsIn = (rows: ReadonlyArray<OpenedRow>): ReadonlyArray<MarkedCell> =>
  rows.flatMap(({ opened, row: stored, table }) => {
    const row = camelCased(stored)
    const plain = Object.entries(row).map(([column, value]) => ({ column, value, keyId: undefined }))
    return [...plain, ...opened].filter(({ value }) => isMarked(value)).map((cell) => ({ ...cell, table, row }))
  })

/** Reads the primary key columns of each table. */
export const primaryKeys = Effect.map(
  inEveryDatabase(
    (sql, service) => sql<{ table: string; columns: ReadonlyArray<string> }>`
      SELECT c.relnamespace::regnamespace || '.' || c.relname AS table, array_agg(a.attname::text) AS columns
      FROM pg_index i
      JOIN pg_class c ON c.oid = i.indrelid
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY(i.indkey)
      WHERE i.indisprimary AND c.relnamespace = ${service}::regnamespace
      GROUP BY 1
    `
  ),
  (keys) => new Map(keys.map(({ columns, table }) => [table, columns.map(Text.snakeToCamel)]))
)

const tableIn = (exported: Exported, table: string): ReadonlyArray<Row> => {
  const [schema = "", name = ""] = table.split(".")
  return exported[exportParts[schema] ?? ""]?.[name] ?? []
}

/** Returns an export without the rows of one table. */
export const without = (exported: Exported, table: string): Exported => {
  const [schema = "", name = ""] = table.split(".")
  const part = exportParts[schema] ?? ""
  return { ...exported, [part]: { ...exported[part], [name]: [] } }
}

/** Returns the columns of the cells that an export lacks: it must have the same value in the same row of the same table. */
export const missingFrom = (
  exported: Exported,
  cells: ReadonlyArray<MarkedCell>,
  keys: ReadonlyMap<string, ReadonlyArray<string>>
): ReadonlyArray<string> => {
  const isExported = ({ column, row, table, value }: MarkedCell): boolean => {
    if (table === "cases.document_pieces") {
      return tableIn(exported, "cases.documents").some(({ contentBase64, document }) => {
        const isOfDocument = jsonOf(document).includes(jsonOf(row["documentId"]))
        return isOfDocument && Buffer.from(String(contentBase64), "base64").toString("latin1").includes(String(value))
      })
    }
    const key = keys.get(table) ?? []
    return tableIn(exported, table)
      .map((exportedRow) => (table === "cases.documents" ? Object(exportedRow["document"]) : exportedRow))
      .some((exportedRow) =>
        [...key, column].every((name) => jsonOf(exportedRow[name]) === jsonOf(name === column ? value : row[name]))
      )
  }
  return [...new Set(cells.filter((cell) => !isExported(cell)).map(placeOf))].sort()
}
