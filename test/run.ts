import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

// Runs types, lint and format beside the tests of behaviour; with `--all` beside all tests, and then those of
// all services once more with what exists only for speed switched off. Closes with `N passed, N failed`.

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const folder = mkdtempSync(join(tmpdir(), "care-run-"))
const report = join(folder, "vitest.json")

const isAll = process.argv.includes("--all")
const projects = isAll ? [] : ["fast", "api", "system"].map((name) => `--project=${name}`)

const bin = (name: string) => join(root, "node_modules", ".bin", name)
const say = (text: string) => process.stdout.write(`${text}\n`)

let passed = 0
let failed = 0

const step = (
  title: string,
  command: string,
  parameters: ReadonlyArray<string>,
  variables: Readonly<Record<string, string>> = {}
): Promise<boolean> => {
  say(`── ${title} ...`)
  const start = performance.now()
  const child = spawn(bin(command), parameters, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...variables }
  })
  return new Promise((resolve) =>
    child.on("close", (status) => {
      say(`── ${title}: ${status === 0 ? "ok" : "failed"}, ${((performance.now() - start) / 1000).toFixed(1)} s`)
      resolve(status === 0)
    })
  )
}

const count = (isPassed: boolean) => {
  if (isPassed) passed += 1
  else failed += 1
}

const [isTyped, isTidy, isGreen] = await Promise.all([
  // Each of several checkers would look anew at what all use: more than twice the processor time, of which the tests have need.
  step("Types", "tsc", ["--noEmit", "-p", "tsconfig.json", "--checkers", "1"]),
  step("Lint and format", "biome", ["check", "--error-on-warnings", "."]),
  step("Tests", "vitest", ["run", ...projects, "--reporter=default", "--reporter=json", `--outputFile.json=${report}`])
])
count(isTyped)
count(isTidy)
if (isAll) count(await step("Tests without speed", "vitest", ["run", "--project=api"], { CARE_PLAIN: "true" }))
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
