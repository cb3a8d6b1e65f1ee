import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { pgBouncerVersion } from "./pgBouncer.ts"

// Runs types, lint and format beside the tests of behaviour. With `--all` the nightly tests follow, two files at a time because they
// measure, and then those of all services once more: with what exists only for speed switched off, with a PostgreSQL for each service
// (200 s on two cores), and through PgBouncer if it is installed. `--nightly` runs only what follows, `--pooler` only the last. Closes
// with `N passed, N failed`.

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const folder = mkdtempSync(join(tmpdir(), "care-run-"))
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

const tests = async (
  title: string,
  parameters: ReadonlyArray<string>,
  variables: Readonly<Record<string, string>> = {}
): Promise<void> => {
  const report = join(folder, `${title}.json`)
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`]
  const isGreen = await step(title, "vitest", ["run", ...parameters, ...reporters], variables)
  try {
    const counts: { readonly numPassedTests: number; readonly numFailedTests: number } = JSON.parse(
      readFileSync(report, "utf8")
    )
    passed += counts.numPassedTests
    failed += counts.numFailedTests
    // A file that does not even load, or a failing set-up, fails no single test.
    if (!isGreen && counts.numFailedTests === 0) failed += 1
  } catch {
    failed += 1
  }
}

const quick = async (): Promise<void> => {
  const [isTyped, isTidy] = await Promise.all([
    // Each of several checkers would look anew at what all use: more than twice the processor time, of which the tests have need.
    step("Types", "tsc", ["--noEmit", "-p", "tsconfig.json", "--checkers", "1"]),
    step("Lint and format", "biome", ["check", "--error-on-warnings", "."]),
    tests("Tests", ["--project=fast", "--project=api", "--project=system"])
  ])
  count(isTyped)
  count(isTidy)
}

const throughPooler = async (): Promise<void> => {
  if (pgBouncerVersion() === undefined) {
    say("── Tests through PgBouncer: left out, because it is not installed (Debian: apt-get install pgbouncer)")
    return
  }
  await tests("Tests through PgBouncer", ["--project=api"], { CARE_POOLER: "true" })
}

const nightly = async (): Promise<void> => {
  await tests("Nightly tests", ["--project=nightly", "--maxWorkers=2"])
  await tests("Tests without speed", ["--project=api"], { CARE_PLAIN: "true" })
  await tests("Tests on four databases", ["--project=api"], { CARE_FOUR_DATABASES: "true" })
  await throughPooler()
}

const has = (option: string): boolean => process.argv.includes(option)
if (has("--pooler")) await throughPooler()
else {
  if (!has("--nightly")) await quick()
  if (has("--nightly") || has("--all")) await nightly()
}
rmSync(folder, { recursive: true })

say(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
