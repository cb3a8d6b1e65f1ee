import { spawnSync } from "node:child_process"
import { delimiter } from "node:path"

/** The environment in which PgBouncer is found. Debian keeps it out of the path of ordinary accounts. */
export const pgBouncerEnvironment = { PATH: [process.env["PATH"], "/usr/sbin"].join(delimiter) }

/** Returns the version of the installed PgBouncer, as `[1, 25]`, or undefined if there is none. */
export const pgBouncerVersion = (): readonly [major: number, minor: number] | undefined => {
  const { stdout } = spawnSync("pgbouncer", ["--version"], { encoding: "utf8", env: pgBouncerEnvironment })
  const [, major, minor] = /^PgBouncer (\d+)\.(\d+)/.exec(stdout ?? "") ?? []
  return major === undefined || minor === undefined ? undefined : [Number(major), Number(minor)]
}
