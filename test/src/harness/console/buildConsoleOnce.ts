import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { buildConsole, buildDocs } from "@care/build"
import type { TestProject } from "vitest/node"

/** Builds the console and the documentation, which all suites of the run serve. */
export default async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), "care-console-"))
  const consoleFolder = join(folder, "console")
  await buildConsole(consoleFolder)
  project.provide("consoleFolder", consoleFolder)
  const docsFolder = join(folder, "docs")
  await buildDocs(docsFolder)
  project.provide("docsFolder", docsFolder)
  return () => rmSync(folder, { recursive: true, force: true })
}

declare module "vitest" {
  export interface ProvidedContext {
    /** The folder of the built console. */
    consoleFolder: string
    /** The folder of the built documentation. */
    docsFolder: string
  }
}
