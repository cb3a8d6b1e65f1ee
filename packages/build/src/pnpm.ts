import { readFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "..", "..", "..")

/** Returns the command of the pnpm that is running, or else of the one that every command of the documents names. */
export const pnpm = (): readonly [program: string, ...parameters: Array<string>] => {
  const { npm_execpath: running } = process.env
  if (running !== undefined && /pnpm[^/\\]*$/.test(running)) return [running]
  const { dependencies } = JSON.parse(readFileSync(join(root, ".ci", "pnpm", "package.json"), "utf8"))
  return ["npx", "-y", `pnpm@${dependencies.pnpm}`]
}
