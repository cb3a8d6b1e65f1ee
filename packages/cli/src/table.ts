import { printable } from "@care/service-kit/boot"
import { Predicate } from "effect"
import type { Resource } from "./AdminClient.ts"

/** Returns a value as a text for people. */
export const formatValue = (value: unknown): string => {
  if (value === null || value === undefined) return "-"
  return printable(typeof value === "string" ? value : JSON.stringify(value))
}

const isSimple = (value: unknown): boolean => !Predicate.isObjectOrArray(value)

// A cell has one line: the first one of a text, the values of a list, or the number of objects in it.
const formatCell = (value: unknown): string => {
  if (!Array.isArray(value)) {
    const [first = "", ...others] = formatValue(value).split("\n")
    return others.length === 0 ? first : `${first} …`
  }
  if (value.length === 0) return "-"
  return value.every(isSimple) ? value.map(formatValue).join(",") : String(value.length)
}

const valueAt = (row: unknown, path: string): unknown =>
  path.split(".").reduce((value: unknown, name) => (Predicate.hasProperty(value, name) ? value[name] : undefined), row)

interface Column {
  readonly name: string
  /** Whether there is no column if no row has the value. */
  readonly isOptional: boolean
  readonly cellOf: (row: Resource) => string
}

const columnOf = (text: string): Column => {
  const [name = "", paths = name] = text.replace("?", "").split("=")
  const all = paths.split("+")
  return {
    name,
    isOptional: text.endsWith("?"),
    cellOf: (row) => {
      const values = all.map((path) => valueAt(row, path)).filter((value) => value !== null && value !== undefined)
      return values.length === 0 ? "-" : values.map(formatCell).join(" ")
    }
  }
}

const gap = 2
const leastWidth = 8
const id = /^(?:-|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

const lengthOf = (cell: string): number => [...cell].length

/** Returns a text with at most so many characters, the last of which is an ellipsis if it was longer. */
export const shorten = (text: string, width: number): string =>
  lengthOf(text) <= width ? text : `${[...text].slice(0, Math.max(width - 1, 0)).join("")}…`

// Takes from the widest columns first: as long as possible from those without ids, which are useless in parts.
const fit = (natural: ReadonlyArray<number>, ids: ReadonlySet<number>, width: number): ReadonlyArray<number> => {
  const widths = [...natural]
  const excess = () => widths.reduce((sum, each) => sum + each, gap * (widths.length - 1)) - width
  for (const mayShorten of [(index: number) => !ids.has(index), () => true]) {
    while (excess() > 0) {
      const widest = widths.reduce(
        (found, each, index) => (mayShorten(index) && each > Math.max(widths[found] ?? 0, leastWidth) ? index : found),
        -1
      )
      if (widest === -1) break
      widths[widest] = (widths[widest] ?? 0) - 1
    }
  }
  return widths
}

/**
 * Returns rows as a table. Columns are separated by blanks: `name`, `name=path.to.value`, or `name=path+path` for several values; with `?` a
 * column is left out if no row has it. If the table is wider than `width`, long cells end with an ellipsis; ids are whole if possible.
 */
export const tableOf = (rows: ReadonlyArray<Resource>, columns: string, width = Number.POSITIVE_INFINITY): string => {
  if (rows.length === 0) return "None."
  const all = columns
    .split(" ")
    .map(columnOf)
    .filter(({ cellOf, isOptional }) => !isOptional || rows.some((row) => cellOf(row) !== "-"))
  const body = rows.map((row) => all.map(({ cellOf }) => cellOf(row)))
  const lines = [all.map(({ name }) => name), ...body]
  const ids = new Set(all.keys().filter((index) => body.every((cells) => id.test(cells[index] ?? ""))))
  const natural = all.map((_, index) => Math.max(...lines.map((cells) => lengthOf(cells[index] ?? ""))))
  const widths = fit(natural, ids, width)
  return lines
    .map((cells) =>
      cells
        .map((cell, index) => {
          const shown = shorten(cell, widths[index] ?? 0)
          return `${shown}${" ".repeat(Math.max((widths[index] ?? 0) - lengthOf(shown), 0))}`
        })
        .join(" ".repeat(gap))
        .trimEnd()
    )
    .join("\n")
}
