import type { ReactNode } from "react"
import { classes } from "./classes.ts"

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  /** Numbers and amounts are at the right. */
  readonly isNumber?: boolean
}

interface DataTableProps<Row> {
  readonly caption: string
  readonly columns: ReadonlyArray<Column<Row>>
  readonly rows: ReadonlyArray<Row>
  readonly keyOf: (row: Row) => string
  /** Tells which rows are of the past, and are pale. */
  readonly isPale?: (row: Row) => boolean
}

/** A table; on a narrow screen each row is a card with the titles of its columns, without those that are empty. */
export const DataTable = <Row,>({ caption, columns, isPale = () => false, keyOf, rows }: DataTableProps<Row>) => (
  <div className="overflow-x-auto rounded-lg border border-line bg-surface">
    <table className="block w-full border-collapse text-left sm:table">
      <caption className="sr-only">{caption}</caption>
      <thead className="sr-only sm:not-sr-only sm:table-header-group">
        <tr className="border-b border-line text-sm text-muted">
          {columns.map(({ isNumber = false, title }) => (
            <th key={title} scope="col" className={`px-3 py-2 font-medium ${isNumber ? "text-right" : ""}`}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="block sm:table-row-group">
        {rows.map((row) => (
          <tr
            key={keyOf(row)}
            className={classes(
              "block border-b border-line py-2 last:border-b-0 focus-within:bg-raised sm:table-row sm:py-0 sm:hover:bg-raised/50",
              isPale(row) && "text-muted"
            )}
          >
            {columns.map(({ cell, isNumber = false, title }) => (
              <td
                key={title}
                className={classes(
                  "flex gap-4 px-3 py-1 align-top max-sm:has-[>:last-child:empty]:hidden sm:table-cell sm:py-2",
                  isNumber && "tabular-nums sm:text-right"
                )}
              >
                <span aria-hidden="true" className="w-24 shrink-0 text-sm text-muted sm:hidden">
                  {title}
                </span>
                {/* One long word does not take the room of the other columns. */}
                <span className="min-w-0 flex-1 break-words sm:block sm:max-w-md">{cell(row)}</span>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
