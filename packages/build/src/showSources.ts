import { existsSync, readFileSync } from "node:fs"
import { SourceMap } from "node:module"
import { join } from "node:path"

// cases.mjs:9276:52
const position = /[^\s(]*?(\w+\.mjs):(\d+):(\d+)/g

/**
 * Replaces positions of built programs, as in logged stacks, by those of their TypeScript sources, with the maps in the
 * folder. (Node.js can do so with `--enable-source-maps`, but keeps the maps in memory: 100 MB and more in each
 * process.)
 */
export const showSources = (folder: string, text: string): string => {
  const maps = new Map<string, SourceMap | undefined>()
  const mapOf = (program: string) => {
    const file = join(folder, `${program}.map`)
    if (!maps.has(program)) {
      maps.set(program, existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, "utf8"))) : undefined)
    }
    return maps.get(program)
  }
  return text.replace(position, (whole, program: string, line: string, column: string) => {
    const origin = mapOf(program)?.findOrigin(Number(line), Number(column))
    return origin !== undefined && "fileName" in origin
      ? `${origin.fileName}:${origin.lineNumber}:${origin.columnNumber}`
      : whole
  })
}
