import { printable } from "@care/service-kit/boot"
import { Console, Effect } from "effect"
import { Flag, GlobalFlag } from "effect/cli"
import { AdminClient, type Resource, type ResourcePage } from "./AdminClient.ts"
import type { QueryParameters } from "./gateway.ts"

/** Whether a command prints JSON: `--json`, before or after the command's name. */
export const Json = GlobalFlag.Setting("json")({
  flag: Flag.Boolean("json").pipe(
    Flag.withDescription("Print one JSON document; failures as { error: { message } } on standard error"),
    Flag.withDefault(false)
  )
})

/** Prints a value as a JSON document. */
export const printJson = (value: unknown): Effect.Effect<void> => Console.log(printable(JSON.stringify(value, null, 2)))

/** Prints a line of progress on standard error. Standard output is for results. */
export const printProgress = (line: string): Effect.Effect<void> => Console.error(printable(line))

const print = (value: unknown, forPeople: () => string) =>
  Effect.flatMap(Json, (isJson) => (isJson ? printJson(value) : Console.log(printable(forPeople()))))

const formatValue = (value: unknown): string => {
  if (value === null || value === undefined) return "-"
  return printable(typeof value === "string" ? value : JSON.stringify(value))
}

const fields = (resource: Resource): string => {
  const width = Math.max(...Object.keys(resource).map((name) => name.length))
  return Object.entries(resource)
    .map(
      ([name, value]) => `${name.padEnd(width)}  ${formatValue(value).replaceAll("\n", `\n${" ".repeat(width + 2)}`)}`
    )
    .join("\n")
}

const table = (rows: ReadonlyArray<Resource>, columns: ReadonlyArray<string>): string => {
  if (rows.length === 0) return "None."
  const cells = [columns, ...rows.map((row) => columns.map((column) => formatValue(row[column]).replaceAll("\n", " ")))]
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => (line[index] ?? "").length)))
  return cells
    .map((line) =>
      line
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join("  ")
        .trimEnd()
    )
    .join("\n")
}

/** Prints a resource, one field a line, with a note for people. */
export const printResource = (resource: Resource, note?: string) =>
  print(resource, () => (note === undefined ? fields(resource) : `${fields(resource)}\n\n${note}`))

/** Calls the admin API, and prints the resource of the answer. */
export const printAnswer = (method: string, path: string, body?: unknown, note?: string) =>
  AdminClient.pipe(
    Effect.flatMap(({ call }) => call(method, path, body)),
    Effect.flatMap((resource) => printResource(resource, note))
  )

/** Prints that something was done: a sentence for people, the resource for programs. */
export const printDone = (resource: Resource, sentence: string) => print(resource, () => sentence)

/**
 * Prints a page of a list as a table of these columns (their names, separated by blanks), with rows shortened by
 * `inOneLine`; as JSON the whole answer.
 * `following` is the flag for the next page.
 */
export const printPage = (
  page: ResourcePage,
  columns: string,
  inOneLine: (row: Resource) => Resource = (row) => row,
  following = "--cursor"
) =>
  print(page, () => {
    const rows = table(page.data.map(inOneLine), columns.split(" "))
    const { archivedMonths = [], cellsAway = [], nextCursor } = page
    const archived =
      archivedMonths.length === 0
        ? ""
        : `\n\nWithout the records of months that are archived: ${archivedMonths.join(", ")} (care audit list --archive)`
    const away =
      cellsAway.length === 0 ? "" : `\n\nWithout the rows of cells that do not answer: ${cellsAway.join(", ")}`
    return nextCursor === null
      ? `${rows}${archived}${away}`
      : `${rows}${archived}${away}\n\nNext page: ${following} ${nextCursor}`
  })

/** Reads the page of a list that a query selects, and prints it as `printPage` does. */
export const printList = (
  path: string,
  query: QueryParameters,
  columns: string,
  inOneLine?: (row: Resource) => Resource
) =>
  AdminClient.pipe(
    Effect.flatMap(({ page }) => page(path, query)),
    Effect.flatMap((page) => printPage(page, columns, inOneLine))
  )

/** Prints a received event: a line, and its body with `whole`; for programs one JSON document a line. */
export const printEvent = (event: Resource, line: string, whole: boolean) =>
  Effect.flatMap(Json, (isJson) => {
    if (isJson) return Console.log(printable(JSON.stringify(event)))
    const lines = whole ? [line, JSON.stringify(event, null, 2)] : [line]
    return Console.log(printable(lines.join("\n")))
  })
