import { existsSync, readdirSync, rmSync } from "node:fs"
import { enableCompileCache } from "node:module"
import { join } from "node:path"

const mostFiles = 20_000

/**
 * Lets what one process has compiled be used by the others, of this run and of the next. Node.js keys it by its version and
 * by the contents of the files, and removes nothing: the folder begins anew when it is full.
 */
export const keepCompiled = (root: string): void => {
  process.env["NODE_COMPILE_CACHE"] ??= join(root, "node_modules", ".cache", "compile")
  const folder = process.env["NODE_COMPILE_CACHE"]
  if (existsSync(folder) && readdirSync(folder, { recursive: true }).length > mostFiles) {
    rmSync(folder, { recursive: true, force: true })
  }
  enableCompileCache(folder)
}
