import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const folder = join(import.meta.dirname, "../../packages/client/src/resources")

/** The example of a method of the client. */
export interface Example {
  readonly method: string
  readonly code: string
}

/** Returns the examples in the doc comments of the client. */
export const examples: ReadonlyArray<Example> = readdirSync(folder).flatMap((file) =>
  Array.from(
    readFileSync(join(folder, file), "utf8").matchAll(
      /@example\n {3}\* ```ts\n([\s\S]*?) {3}\* ```\n {3}\*\/\n {2}(\w+)\(/g
    ),
    ([, lines = "", method = ""]) => ({
      method: `${file.replace(/\.ts$/, "")}.${method}`,
      code: lines.replaceAll(/^ {3}\* ?/gm, "")
    })
  )
)
