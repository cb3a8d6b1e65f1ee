import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

// Runs the whole check of the repository: types, lint and format, tests. Closes with `N passed, N failed`.

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const folder = mkdtempSync(join(tmpdir(), "care-run-"))
const report = join(folder, "vitest.json")

const bin = (name: string) => join(root, "node_modules", ".bin", name)
const say = (text: string) => process.stdout.write(`${text}\n`)

let passed = 0
let failed = 0

const step = (title: string, command: string, parameters: ReadonlyArray<string>): boolean => {
  say(`\n── ${title}`)
  const start = performance.now()
  const { status } = spawnSync(bin(command), parameters, { cwd: root, stdio: "inherit" })
  say(`── ${title}: ${status === 0 ? "ok" : "failed"}, ${((performance.now() - start) / 1000).toFixed(1)} s`)
  return status === 0
}

const count = (isPassed: boolean) => {
  if (isPassed) passed += 1
  else failed += 1
}

count(step("Types", "tsc", ["--noEmit", "-p", "tsconfig.json"]))
count(step("Lint and format", "biome", ["check", "--error-on-warnings", "."]))
const isGreen = step("Tests", "vitest", ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`])
try {
  const counts: { readonly numPassedTests: number; readonly numFailedTests: number; readonly success: boolean } =
    JSON.parse(readFileSync(report, "utf8"))
  passed += counts.numPassedTests
  failed += counts.numFailedTests
  // A file that does not even load, or a failing set-up, fails no single test.
  if (!isGreen && counts.numFailedTests === 0) failed += 1
} catch {
  failed += 1
}
rmSync(folder, { recursive: true })

say(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
