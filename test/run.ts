import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { pnpm } from "@care/build/pnpm"
import { chromiumPath } from "./chromium.ts"
import { pgBouncerVersion } from "./pgBouncer.ts"

// Runs types, lint and format beside the tests of behaviour. With `--all` the nightly tests follow, two files at a time because they
// measure, and then those of all services twice more: with what exists only for speed switched off and a PostgreSQL for each service, two
// things that do not touch each other, and through PgBouncer if it is installed. `--nightly` runs only what follows, `--pooler` only the
// last. Closes with the names of what failed and `N passed, N failed`.

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const folder = mkdtempSync(join(tmpdir(), "care-run-"))
const bin = (name: string) => join(root, "node_modules", ".bin", name)
const say = (text: string) => process.stdout.write(`${text}\n`)

let passed = 0
const failures: Array<string> = []

const step = (
  title: string,
  command: string,
  parameters: ReadonlyArray<string>,
  variables: Readonly<Record<string, string>> = {}
): Promise<boolean> => {
  say(`── ${title} ...`)
  const start = performance.now()
  const child = spawn(command, parameters, {
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

const count = (title: string, isPassed: boolean) => {
  if (isPassed) passed += 1
  else failures.push(title)
}

interface Report {
  readonly numPassedTests: number
  readonly testResults: ReadonlyArray<{
    readonly name: string
    readonly status: string
    readonly assertionResults: ReadonlyArray<{
      readonly fullName: string
      readonly status: string
      readonly failureMessages: ReadonlyArray<string>
    }>
  }>
}

const firstLine = ([message = ""]: ReadonlyArray<string>) => message.split("\n", 1)[0]

const failuresOf = ({ testResults }: Report): ReadonlyArray<string> =>
  testResults.flatMap(({ assertionResults, name, status }) => {
    const file = relative(root, name)
    const failed = assertionResults.filter((test) => test.status === "failed")
    // A file that does not even load, or a failing set-up, fails no single test.
    if (failed.length === 0 && status === "failed") return [file]
    return failed.map(({ failureMessages, fullName }) => `${file}: ${fullName}\n  ${firstLine(failureMessages)}`)
  })

const tests = async (
  title: string,
  parameters: ReadonlyArray<string>,
  variables: Readonly<Record<string, string>> = {}
): Promise<void> => {
  const report = join(folder, `${title}.json`)
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`]
  const isGreen = await step(title, bin("vitest"), ["run", ...parameters, ...reporters], variables)
  try {
    const results: Report = JSON.parse(readFileSync(report, "utf8"))
    const found = failuresOf(results)
    passed += results.numPassedTests
    failures.push(...found.map((failure) => `${title}: ${failure}`))
    if (!isGreen && found.length === 0) failures.push(title)
  } catch {
    failures.push(title)
  }
}

const quick = async (): Promise<void> => {
  // Each of several checkers would look anew at what all use: more than twice the processor time, of which the tests have need.
  const types = (title: string, project: string) =>
    step(title, bin("tsc"), ["--noEmit", "-p", project, "--checkers", "1"])
  const [isTyped, isTidy] = await Promise.all([
    types("Types", "tsconfig.json").then(async (isTyped) => ({
      all: isTyped,
      console: await types("Types of the console", "services/console/tsconfig.json"),
      docs: await types("Types of the documentation", "packages/docs/src/browser/tsconfig.json")
    })),
    step("Lint and format", bin("biome"), ["check", "--error-on-warnings", "."]),
    tests("Tests", ["--project=fast", "--project=api", "--project=system"])
  ])
  count("Types", isTyped.all)
  count("Types of the console", isTyped.console)
  count("Types of the documentation", isTyped.docs)
  count("Lint and format", isTidy)
}

const inBrowser = async (): Promise<void> => {
  if (chromiumPath() === undefined) {
    say("── Tests of the console: left out, because there is no Chromium (Debian: apt-get install chromium)")
    return
  }
  await tests("Tests of the console", ["--project=console"])
}

const throughPooler = async (): Promise<void> => {
  if (pgBouncerVersion() === undefined) {
    say("── Tests through PgBouncer: left out, because it is not installed (Debian: apt-get install pgbouncer)")
    return
  }
  await tests("Tests through PgBouncer", ["--project=api"], { CARE_POOLER: "true" })
}

const installPlatforms = async (): Promise<void> => {
  const title = "Install what nightly tests run the client in"
  const [program, ...parameters] = pnpm()
  count(title, await step(title, program, [...parameters, "--dir", "test/platforms", "install", "--frozen-lockfile"]))
}

const nightly = async (): Promise<void> => {
  await installPlatforms()
  await tests("Nightly tests", ["--project=nightly", "--maxWorkers=2"])
  const slowly = { CARE_PLAIN: "true", CARE_FOUR_DATABASES: "true" }
  await tests("Tests without speed, on four databases", ["--project=api"], slowly)
  await throughPooler()
}

const has = (option: string): boolean => process.argv.includes(option)
if (has("--pooler")) await throughPooler()
else {
  if (!has("--nightly")) {
    await quick()
    await inBrowser()
  }
  if (has("--nightly") || has("--all")) await nightly()
}
rmSync(folder, { recursive: true })

for (const failure of failures) say(`failed: ${failure}`)
say(`\n${passed} passed, ${failures.length} failed`)
process.exitCode = failures.length === 0 ? 0 : 1
