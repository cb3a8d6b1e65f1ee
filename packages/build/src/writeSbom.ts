import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"

const root = join(import.meta.dirname, "..", "..", "..")

// The pnpm that runs the build, or else the one that every command of the documents names.
const pnpm = (): readonly [program: string, ...parameters: Array<string>] => {
  const { npm_execpath: running } = process.env
  if (running !== undefined && /pnpm[^/\\]*$/.test(running)) return [running]
  const { dependencies } = JSON.parse(readFileSync(join(root, ".ci", "pnpm", "package.json"), "utf8"))
  return ["npx", "-y", `pnpm@${dependencies.pnpm}`]
}

const parameters = ["--prod", "--sbom-format", "cyclonedx", "--sbom-type", "application", "--filter", "{services/*}..."]

/** Writes the software bill of materials of the services into a file: their production dependencies, with licenses, in CycloneDX. */
export const writeSbom = async (file: string): Promise<void> => {
  const [program, ...first] = pnpm()
  await promisify(execFile)(program, [...first, "sbom", ...parameters, "--out", file], { cwd: root })
}
