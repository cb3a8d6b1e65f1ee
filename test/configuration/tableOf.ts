/** Returns a table as the formatter writes it: each cell is as wide as its column. */
export const tableOf = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: ReadonlyArray<string>) => `| ${cells.join(" | ")} |`
  const [head, ...body] = rows.map((row) => line(row.map((text, column) => text.padEnd(widths[column] ?? 0))))
  return [head, line(widths.map((width) => "-".repeat(width))), ...body].join("\n")
}
