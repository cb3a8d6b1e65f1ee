import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { endOf, killGroup } from "../childProcess.ts"
import { repositoryRoot } from "./serviceProcess.ts"

/** The folder that `start` builds the console of the care team into. */
export const consoleFolder = join(repositoryRoot, "services", "console", "dist")

const hashFile = join(consoleFolder, "sources.txt")

const folders = ["services/console/src", "packages/domain/src"]
const files = ["services/console/index.html", "packages/build/src/buildConsole.ts", "pnpm-lock.yaml"]

const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(repositoryRoot, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath, name))

const hashOfSources = (): string => {
  const hash = createHash("sha256")
  const sources = [...folders.flatMap(filesIn), ...files.map((file) => join(repositoryRoot, file))].sort()
  for (const file of sources) hash.update(file).update(readFileSync(file))
  return hash.digest("hex")
}

/** Tells whether the console has to be built. One of older sources is removed, so that nobody sees it. */
export const isConsoleMissing = (): boolean => {
  const isThere = existsSync(hashFile) && readFileSync(hashFile, "utf8") === hashOfSources()
  if (!isThere) rmSync(consoleFolder, { recursive: true, force: true })
  return !isThere
}

/** Builds the console in a process of its own, which the start of the suite does not wait for. `write` gets what went wrong. */
export const rebuildConsole = (write: (line: string) => void): Effect.Effect<void> =>
  Effect.acquireUseRelease(
    Effect.sync(() =>
      spawn(process.execPath, [join(repositoryRoot, "packages", "build", "src", "console.ts"), consoleFolder], {
        cwd: repositoryRoot,
        detached: true,
        stdio: ["ignore", "ignore", "pipe"]
      })
    ),
    (child) =>
      Effect.gen(function* () {
        child.stderr?.setEncoding("utf8").on("data", write)
        const end = yield* endOf(child)
        if (end === "exit code 0") writeFileSync(hashFile, hashOfSources())
        else write(`The console was not built: ${end}`)
      }),
    killGroup
  )
