import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { endOf, killGroup } from "../childProcess.ts"
import { repositoryRoot } from "./serviceProcess.ts"

/** What `start` builds for the gateway to serve: with which program, into which folder, and from which sources. */
export interface Built {
  readonly name: string
  /** The setting of the gateway that names the folder. */
  readonly variable: string
  readonly folder: string
  readonly program: string
  readonly folders: ReadonlyArray<string>
  readonly files: ReadonlyArray<string>
}

const programs = "packages/build/src"

/** The console of the care team. */
export const builtConsole: Built = {
  name: "console",
  variable: "CONSOLE_DIR",
  folder: join(repositoryRoot, "services", "console", "dist"),
  program: `${programs}/console.ts`,
  folders: ["services/console/src", "packages/client/src", "packages/domain/src", "packages/scenarios/src"],
  files: ["services/console/index.html", `${programs}/buildConsole.ts`, "pnpm-lock.yaml"]
}

/** The documentation. */
export const builtDocs: Built = {
  name: "docs",
  variable: "DOCS_DIR",
  folder: join(repositoryRoot, "packages", "docs", "dist"),
  program: `${programs}/docs.ts`,
  folders: [
    "docs",
    "packages/docs/src",
    "packages/domain/src",
    "services/gateway/src/openapi",
    "services/gateway/src/routing"
  ],
  files: [`${programs}/buildDocs.ts`, `${programs}/scalarSource.ts`, "pnpm-lock.yaml"]
}

const hashFileOf = ({ folder }: Built): string => join(folder, "sources.txt")

const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(repositoryRoot, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath, name))

const hashOfSources = ({ files, folders }: Built): string => {
  const hash = createHash("sha256")
  const sources = [...folders.flatMap(filesIn), ...files.map((file) => join(repositoryRoot, file))].sort()
  for (const file of sources) hash.update(file).update(readFileSync(file))
  return hash.digest("hex")
}

/** Tells whether something has to be built. What was built of older sources is removed, so that nobody sees it. */
export const isMissing = (built: Built): boolean => {
  const file = hashFileOf(built)
  const isThere = existsSync(file) && readFileSync(file, "utf8") === hashOfSources(built)
  if (!isThere) rmSync(built.folder, { recursive: true, force: true })
  return !isThere
}

/** Builds something in a process of its own, which the start of the suite does not wait for. `write` gets what went wrong. */
export const rebuild = (built: Built, write: (line: string) => void): Effect.Effect<void> =>
  Effect.acquireUseRelease(
    Effect.sync(() =>
      spawn(process.execPath, [join(repositoryRoot, built.program), built.folder], {
        cwd: repositoryRoot,
        detached: true,
        stdio: ["ignore", "ignore", "pipe"]
      })
    ),
    (child) =>
      Effect.gen(function* () {
        child.stderr?.setEncoding("utf8").on("data", write)
        const end = yield* endOf(child)
        if (end === "exit code 0") writeFileSync(hashFileOf(built), hashOfSources(built))
        else write(`The ${built.name} was not built: ${end}`)
      }),
    killGroup
  )
