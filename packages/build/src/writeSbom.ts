import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { pnpm } from "./pnpm.ts"

const root = join(import.meta.dirname, "..", "..", "..")

const parameters = ["--prod", "--sbom-format", "cyclonedx", "--sbom-type", "application", "--filter", "{services/*}..."]

/** Writes the software bill of materials of the services into a file: their production dependencies, with licenses, in CycloneDX. */
export const writeSbom = async (file: string): Promise<void> => {
  const [program, ...first] = pnpm()
  await promisify(execFile)(program, [...first, "sbom", ...parameters, "--out", file], { cwd: root })
}
