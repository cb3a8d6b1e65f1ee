import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"

/** The folder of what nightly tests of the client run it in. `test/run.ts` installs it. */
export const platforms = join(import.meta.dirname, "../../platforms")

/** Returns the path of a program of the folder. */
export const platformProgram = (name: string): string => {
  const path = join(platforms, "node_modules/.bin", name)
  if (!existsSync(path))
    throw new Error("Install it: npx -y pnpm@12.21.0 --dir test/platforms install --frozen-lockfile")
  return path
}

const run = promisify(execFile)

/** Runs a program in a folder, and returns its output. If it fails, the error has what it wrote. */
export const runIn = (
  folder: string,
  program: string,
  parameters: ReadonlyArray<string>,
  variables: Readonly<Record<string, string>> = {}
): Promise<string> =>
  run(program, parameters, { cwd: folder, env: { ...process.env, ...variables }, timeout: 120_000 }).then(
    ({ stdout }) => stdout.trim(),
    (error: Error & { readonly stdout?: string }) => {
      throw new Error(`${error.message}\n${error.stdout}`)
    }
  )
