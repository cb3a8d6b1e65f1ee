import { spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, symlinkSync } from "node:fs"
import { dirname, join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { temporaryFolder } from "@care/service-kit/testing"
import { Effect, Schema } from "effect"
import { parse } from "yaml"
import { contracts } from "../../../operations/contracts.ts"
import { builtPrograms } from "../builtPrograms.ts"

const root = join(import.meta.dirname, "../../../..")

const run = (folder: string, program: string, parameters: ReadonlyArray<string>, input?: Buffer) =>
  spawnSync(program, parameters, { cwd: folder, maxBuffer: 2 ** 30, ...(input !== undefined && { input }) })

const runOrFail = (folder: string, program: string, parameters: ReadonlyArray<string>, input?: Buffer): Buffer => {
  const { error, status, stderr, stdout } = run(folder, program, parameters, input)
  if (status === 0) return stdout
  throw new Error(`${program} ${parameters.join(" ")} failed: ${error?.message ?? stderr.toString()}`)
}

// What programs are built of.
const sources = ["packages", "services", "pnpm-lock.yaml", ":(exclude)*.test.ts"]

// The newest commit with other sources than the working tree's: HEAD in the middle of a change, its parent after the commit.
const findPrevious = (): string | undefined => {
  const { stdout } = run(root, "git", ["log", "--first-parent", "--format=%H", "--max-count=100"])
  const commits = (stdout ?? "").toString().split("\n").filter(Boolean)
  return commits.find((commit) => run(root, "git", ["diff", "--quiet", commit, "--", ...sources]).status === 1)
}

const previousCommit = findPrevious()

/** Says which two versions there are. A shallow clone, or a folder without git, has only one. */
export const versionsInWords =
  previousCommit === undefined
    ? "from the working tree to itself (git has no earlier commit here)"
    : `from ${runOrFail(root, "git", ["log", "-1", "--format=%h (%s)", previousCommit]).toString().trim()} to the working tree`

const Dependencies = Schema.optionalKey(Schema.Record(Schema.String, Schema.Struct({ version: Schema.String })))
const readLockfile = (folder: string) =>
  Schema.decodeUnknownSync(
    Schema.Struct({
      importers: Schema.Record(
        Schema.String,
        Schema.Struct({ dependencies: Dependencies, devDependencies: Dependencies })
      ),
      packages: Schema.Unknown,
      snapshots: Schema.Unknown
    })
  )(parse(readFileSync(join(folder, "pnpm-lock.yaml"), "utf8")))

type Lockfile = ReturnType<typeof readLockfile>

const dependenciesIn = ({ importers }: Lockfile) =>
  Object.entries(importers).flatMap(([importer, { dependencies, devDependencies }]) =>
    Object.entries({ ...dependencies, ...devDependencies }).map(([name, { version }]) => ({ importer, name, version }))
  )

// Links what each package depends on: packages of the suite in the folder itself, and all others where they are installed here.
const linkDependencies = (folder: string, lockfile: Lockfile, installed: Lockfile) => {
  const locations = new Map(
    dependenciesIn(installed).map(({ importer, name, version }) => [
      `${name} ${version}`,
      join(root, importer, "node_modules", name)
    ])
  )
  for (const { importer, name, version } of dependenciesIn(lockfile)) {
    const own = version.startsWith("link:") ? join(folder, importer, version.slice("link:".length)) : undefined
    const target = own ?? locations.get(`${name} ${version}`)
    // No package depends directly on it any more, so that it is not linked here either.
    if (target === undefined) continue
    const link = join(folder, importer, "node_modules", name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(target, link)
  }
}

const pnpmVersion = () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, ".ci/pnpm/package.json"), "utf8"))
  return `pnpm@${dependencies.pnpm}`
}

// Without the network this works unless a dependency has changed.
const provideDependencies = (folder: string) => {
  const [lockfile, installed] = [readLockfile(folder), readLockfile(root)]
  const isSame = isDeepStrictEqual([lockfile.packages, lockfile.snapshots], [installed.packages, installed.snapshots])
  if (isSame) linkDependencies(folder, lockfile, installed)
  else runOrFail(folder, "npx", ["-y", pnpmVersion(), "install", "--frozen-lockfile", "--prefer-offline"])
}

const runScript = (folder: string, script: string) =>
  runOrFail(folder, process.execPath, ["--input-type=module", "--eval", script]).toString()

// Builds a commit's programs, and reads the ids of its operations.
const buildCommit = (commit: string) =>
  Effect.map(temporaryFolder(), (folder) => {
    const [tree, programs] = [join(folder, "tree"), join(folder, "programs")]
    mkdirSync(tree)
    // An archive and no worktree, which would remain registered after a kill.
    runOrFail(tree, "tar", ["-x"], runOrFail(root, "git", ["archive", "--format=tar", commit]))
    provideDependencies(tree)
    const source = (file: string) => JSON.stringify(join(tree, "packages", file))
    runScript(
      tree,
      `
        import { buildPrograms } from ${source("build/src/buildPrograms.ts")}
        await buildPrograms(${JSON.stringify(programs)})
      `
    )
    const ids = runScript(
      tree,
      `
        import { endpoints } from ${source("domain/src/endpoints.ts")}
        for (const { endpoint, group } of endpoints) console.log(group.identifier + "." + endpoint.identifier)
      `
    )
    return { programs, operations: new Set(ids.split("\n").filter(Boolean)) }
  })

/** Returns the folders with the programs of the version before and of the working tree, and which operations both have. */
export const twoVersions = Effect.gen(function* () {
  const next = yield* builtPrograms
  const { operations, programs: previous } =
    previousCommit === undefined ? { operations: undefined, programs: next } : yield* buildCommit(previousCommit)
  const shared = contracts.filter(({ id }) => operations?.has(id) ?? true)
  return { programs: { previous, next }, contracts: shared }
})
