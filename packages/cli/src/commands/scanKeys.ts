import { apiKeysIn, shownPartOf } from "@care/service-kit/boot"
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { CommandFailed } from "../CommandFailed.ts"
import { printDone, printPage } from "../output.ts"
import { readText } from "../readFiles.ts"

const lineOf = (text: string, index: number): number => text.slice(0, index).split("\n").length

const findKeys = (file: string) =>
  Effect.map(readText(file), (text) =>
    apiKeysIn(text).map(({ index, key }) => ({ file, line: lineOf(text, index), key: `${shownPartOf(key)}...` }))
  )

export const scanKeys = Command.make(
  "scan",
  {
    files: Argument.String("file").pipe(
      Argument.withDescription("Files to look into; - is standard input"),
      Argument.atLeast(1)
    )
  },
  Effect.fnUntraced(function* ({ files }) {
    const found = (yield* Effect.forEach(files, findKeys)).flat()
    if (found.length === 0) return yield* printDone({ data: [] }, "No API key was found.")
    yield* printPage({ data: found, nextCursor: null }, "file line key")
    return yield* new CommandFailed({
      message: `${found.length} API key${found.length === 1 ? " was" : "s were"} found.`,
      remedy: "Rotate each: `care key list` names it by its first characters, `care key rotate` replaces it."
    })
  })
).pipe(
  Command.withDescription("Find API keys in files, by their form and checksum. Exits with 1 if there is one"),
  Command.withExamples([{ command: "care key scan .env", description: "Look for keys in a file" }])
)
