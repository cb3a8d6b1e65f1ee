import { readFileSync } from "node:fs"
import { basename } from "node:path"
import { Effect, Schema } from "effect"
import { CommandFailed } from "./CommandFailed.ts"

const readFile = <A>(file: string, read: (file: string) => A) =>
  Effect.try({
    try: () => read(file),
    catch: () => new CommandFailed({ message: `The file ${file} cannot be read.` })
  })

const decodeJson = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))

/** Reads a file of text; `-` is standard input. */
export const readText = (file: string) => readFile(file, (path) => readFileSync(path === "-" ? 0 : path, "utf8"))

/** Reads a file with a JSON object. */
export const readJson = Effect.fnUntraced(function* (file: string) {
  const text = yield* readFile(file, (path) => readFileSync(path, "utf8"))
  return yield* decodeJson(text).pipe(
    Effect.mapError(() => new CommandFailed({ message: `The file ${file} is not a JSON object.` }))
  )
})

/** Reads a file to send: its name, and its content in base64. */
export const readAttachment = (file: string) =>
  Effect.map(
    readFile(file, (path) => readFileSync(path).toString("base64")),
    (content) => ({ fileName: basename(file), content })
  )
