import { Effect, String as Text } from "effect"
import { inDatabase } from "../database.ts"
import { inCamelCase, jsonOf, type OpenedRow } from "../openEverything.ts"
import { health, isIn, names } from "./markers.ts"

type Row = Readonly<Record<string, unknown>>

/** A column of a row in which a marker stands, as it is or once it is opened. Columns are named as in the services. */
interface ToldCell {
  /** `cases.comments` */
  readonly table: string
  readonly column: string
  readonly row: Row
  readonly value: unknown
  /** Of the key that opened it; undefined for what is not sealed. */
  readonly keyId: string | undefined
}

/** What everything is that is exported, service by service and table by table. */
export type Exported = Readonly<Record<string, Readonly<Record<string, ReadonlyArray<Row>>>>>

const parts: Readonly<Record<string, string>> = {
  auth: "profile",
  cases: "treatment",
  payments: "payments",
  scheduling: "appointments"
}

const isMarked = (value: unknown): boolean => {
  const text = jsonOf(value)
  return [health, ...names].some((marker) => isIn(text, marker))
}

/** Where a cell stands: `cases.comments.text`. */
export const placeOf = ({ column, table }: ToldCell): string => `${table}.${Text.camelToSnake(column)}`

/** Every cell of the database in which a marker stands that was told of a patient. */
export const cellsOf = (rows: ReadonlyArray<OpenedRow>): ReadonlyArray<ToldCell> =>
  rows.flatMap(({ opened, row: stored, table }) => {
    const row = inCamelCase(stored)
    const plain = Object.entries(row).map(([column, value]) => ({ column, value, keyId: undefined }))
    return [...plain, ...opened].filter(({ value }) => isMarked(value)).map((cell) => ({ ...cell, table, row }))
  })

/** The columns of the primary key of each table, by which its rows are found again. */
export const primaryKeys = Effect.map(
  inDatabase(
    (sql) => sql<{ table: string; columns: ReadonlyArray<string> }>`
      SELECT c.relnamespace::regnamespace || '.' || c.relname AS table, array_agg(a.attname::text) AS columns
      FROM pg_index i
      JOIN pg_class c ON c.oid = i.indrelid
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY(i.indkey)
      WHERE i.indisprimary AND c.relnamespace::regnamespace::text IN ('auth', 'cases', 'payments', 'scheduling')
      GROUP BY 1
    `
  ),
  (keys) => new Map(keys.map(({ columns, table }) => [table, columns.map(Text.snakeToCamel)]))
)

const tableIn = (exported: Exported, table: string): ReadonlyArray<Row> => {
  const [schema = "", name = ""] = table.split(".")
  return exported[parts[schema] ?? ""]?.[name] ?? []
}

/** An export without one of its tables. */
export const without = (exported: Exported, table: string): Exported => {
  const [schema = "", name = ""] = table.split(".")
  const part = parts[schema] ?? ""
  return { ...exported, [part]: { ...exported[part], [name]: [] } }
}

/** The places of those cells that are not in an export: in the same row of the same table, with the same value. */
export const missingFrom = (
  exported: Exported,
  cells: ReadonlyArray<ToldCell>,
  keys: ReadonlyMap<string, ReadonlyArray<string>>
): ReadonlyArray<string> => {
  const isThere = ({ column, row, table, value }: ToldCell): boolean => {
    if (table === "cases.document_pieces") {
      return tableIn(exported, "cases.documents").some(({ contentBase64, document }) => {
        const isOfDocument = jsonOf(document).includes(jsonOf(row["documentId"]))
        return isOfDocument && Buffer.from(String(contentBase64), "base64").toString("latin1").includes(String(value))
      })
    }
    const key = keys.get(table) ?? []
    return tableIn(exported, table)
      .map((found) => (table === "cases.documents" ? Object(found["document"]) : found))
      .some((found) =>
        [...key, column].every((name) => jsonOf(found[name]) === jsonOf(name === column ? value : row[name]))
      )
  }
  return [...new Set(cells.filter((cell) => !isThere(cell)).map(placeOf))].sort()
}
