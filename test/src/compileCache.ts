import { existsSync, readdirSync, rmSync } from "node:fs"
import { enableCompileCache } from "node:module"
import { join } from "node:path"

const mostFiles = 20_000

/**
 * Shares Node.js's compile cache between the processes of this run and later ones. Node.js keys it by its version and the contents of the
 * files, and never removes entries, so the folder is emptied when it is full.
 */
export const keepCompiled = (root: string): void => {
  process.env["NODE_COMPILE_CACHE"] ??= join(root, "node_modules", ".cache", "compile")
  const folder = process.env["NODE_COMPILE_CACHE"]
  if (existsSync(folder) && readdirSync(folder, { recursive: true }).length > mostFiles) {
    rmSync(folder, { recursive: true, force: true })
  }
  enableCompileCache(folder)
}
