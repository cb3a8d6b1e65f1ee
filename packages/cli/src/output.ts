import { Console, Effect } from "effect"
import { AdminClient, type Resource } from "./AdminClient.ts"

const shown = (value: unknown): string => {
  if (value === null || value === undefined) return "-"
  return typeof value === "string" ? value : JSON.stringify(value)
}

/** Prints a resource, a field a line. */
export const printResource = (resource: Resource): Effect.Effect<void> => {
  const width = Math.max(...Object.keys(resource).map((name) => name.length))
  return Console.log(
    Object.entries(resource)
      .map(([name, value]) => `${name.padEnd(width)}  ${shown(value)}`)
      .join("\n")
  )
}

/** Calls the admin API, and prints the resource that it answers. */
export const printAnswer = (method: string, path: string, body?: unknown) =>
  AdminClient.pipe(
    Effect.flatMap(({ call }) => call(method, path, body)),
    Effect.flatMap(printResource)
  )

/** Prints rows as a table with the given columns. */
export const printTable = (rows: ReadonlyArray<Resource>, columns: ReadonlyArray<string>): Effect.Effect<void> => {
  if (rows.length === 0) return Console.log("None.")
  const cells = [columns, ...rows.map((row) => columns.map((column) => shown(row[column])))]
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => (line[index] ?? "").length)))
  return Console.log(
    cells
      .map((line) =>
        line
          .map((cell, index) => cell.padEnd(widths[index] ?? 0))
          .join("  ")
          .trimEnd()
      )
      .join("\n")
  )
}
