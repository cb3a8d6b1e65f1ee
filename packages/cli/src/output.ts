import { printable } from "@care/service-kit/boot"
import { Console, Context, Effect } from "effect"
import { Flag, GlobalFlag } from "effect/cli"
import type { Resource, ResourcePage } from "./AdminClient.ts"
import { formatValue, shorten, tableOf } from "./table.ts"

/** Whether a command prints JSON: `--json`, before or after the command's name. */
export const Json = GlobalFlag.Setting("json")({
  flag: Flag.Boolean("json").pipe(
    Flag.withDescription("Print one JSON document; failures as { error: { message, ... } } on standard error"),
    Flag.withDefault(false)
  )
})

/**
 * The terminal: the width of standard output, if it is one, and how a line of progress takes the place of the one before, if standard error
 * is one.
 */
export interface Screen {
  readonly width?: number
  readonly redraw?: (line: string) => void
}

/** By default output goes to files and programs. */
export const Screen = Context.Reference<Screen>("@care/cli/Screen", { defaultValue: () => ({}) })

/** Returns the terminal of this process. */
export const ownScreen = (): Screen => ({
  ...(process.stdout.isTTY && { width: process.stdout.columns }),
  ...(process.stderr.isTTY && {
    redraw: (line: string) => process.stderr.write(`\r\u001b[2K${shorten(line, process.stderr.columns - 1)}`)
  })
})

// Lines stand where the progress was.
const write = (how: "log" | "error", text: string): Effect.Effect<void> =>
  Effect.flatMap(Screen, ({ redraw }) => {
    redraw?.("")
    return Console[how](printable(text))
  })

/** Prints a value as a JSON document. */
export const printJson = (value: unknown): Effect.Effect<void> => write("log", JSON.stringify(value, null, 2))

/** Prints a line on standard error. Standard output is for results. */
export const printNotice = (line: string): Effect.Effect<void> => write("error", line)

/** Prints how far long work is on standard error: on a terminal in the place of the line before. */
export const printProgress = (line: string): Effect.Effect<void> =>
  Effect.flatMap(Screen, ({ redraw }) =>
    redraw === undefined ? printNotice(line) : Effect.sync(() => redraw(printable(line).replaceAll("\n", " ")))
  )

/** Prints how far one of the steps of long work is: `2 of 3, text`. */
export const printStep = (step: number, steps: number, text: string): Effect.Effect<void> =>
  printProgress(`${step} of ${steps}, ${text}`)

const print = (value: unknown, forPeople: (width: number | undefined) => string) =>
  Effect.gen(function* () {
    const { width } = yield* Screen
    yield* (yield* Json) ? printJson(value) : write("log", forPeople(width))
  })

const fields = (resource: Resource): string => {
  const width = Math.max(...Object.keys(resource).map((name) => name.length))
  return Object.entries(resource)
    .map(
      ([name, value]) => `${name.padEnd(width)}  ${formatValue(value).replaceAll("\n", `\n${" ".repeat(width + 2)}`)}`
    )
    .join("\n")
}

/** Prints a resource, one field a line, with a note for people. */
export const printResource = (resource: Resource, note?: string) =>
  print(resource, () => (note === undefined ? fields(resource) : `${fields(resource)}\n\n${note}`))

/** Prints that something was done: a sentence for people, the resource for programs. */
export const printDone = (resource: Resource, sentence: string) => print(resource, () => sentence)

/**
 * Prints a page of a list as a table of these columns (see `tableOf`); as JSON the whole answer. `following` is the flag for the next page.
 */
export const printPage = (page: ResourcePage, columns: string, following = "--cursor") =>
  print(page, (width) => {
    const { archivedMonths = [], cellsAway = [], data, nextCursor } = page
    const months = `Without the records of months that are archived: ${archivedMonths.join(", ")} (care audit list --archive)`
    return [
      tableOf(data, columns, width),
      ...(archivedMonths.length === 0 ? [] : [months]),
      ...(cellsAway.length === 0 ? [] : [`Without the rows of cells that do not answer: ${cellsAway.join(", ")}`]),
      ...(nextCursor === null ? [] : [`Next page: ${following} ${nextCursor}`])
    ].join("\n\n")
  })

/** Prints a received event: a line, and its body with `whole`; for programs one JSON document a line. */
export const printEvent = (event: Resource, line: string, whole: boolean) =>
  Effect.flatMap(Json, (isJson) => {
    if (isJson) return write("log", JSON.stringify(event))
    const lines = whole ? [line, JSON.stringify(event, null, 2)] : [line]
    return write("log", lines.join("\n"))
  })

const colours = { red: 31, green: 32, yellow: 33 } as const

/** A colour of text on a terminal. */
export type Colour = keyof typeof colours

/** Prints a line whose middle part has a colour on a terminal; for programs one JSON document a line. */
export const printColoured = (
  value: Resource,
  [before, middle, after]: readonly [string, string, string],
  colour: Colour
) =>
  Effect.gen(function* () {
    if (yield* Json) return yield* write("log", JSON.stringify(value))
    const { width } = yield* Screen
    if (width === undefined) return yield* write("log", `${before}${middle}${after}`)
    const painted = `\u001b[${colours[colour]}m${printable(middle)}\u001b[0m`
    return yield* Console.log(`${printable(before)}${painted}${printable(after)}`)
  })
