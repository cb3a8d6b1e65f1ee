import { availableParallelism } from "node:os"
import { configDefaults, defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import { keepCompiled } from "./test/src/compileCache.ts"

keepCompiled(import.meta.dirname)

// Node.js loads the files as it does when the suite runs: nothing is transformed, and no module can be mocked.
const native = { viteModuleRunner: false, nodeLoader: false } as const

// Files share the processes that they run in, so that what they import is loaded once.
const shared = {
  pool: "forks",
  isolate: false,
  unstubEnvs: true,
  testTimeout: 60_000,
  hookTimeout: 60_000,
  experimental: native,
  setupFiles: "test/src/harness/namedFiles.ts"
} as const

// Tests that start processes.
const system = ["**/*.system.test.ts"]

// Tests that kill processes or run the guides; and those about load: many callers at once, slow callers, or a thousand rows.
const nightly = ["**/*.nightly.test.ts", "**/*.load.test.ts"]

// Tests of the console of the care team, in Chromium.
const inBrowser = ["**/*.console.test.ts"]

// Of these other databases prove nothing more: they are about programs and settings, or send operations that other files send, too.
const alikeOnAll = ["care", "careTrigger", "clientExamples", "clientFaults", "environment", "scenarios", "seed"].map(
  (name) => `test/src/${name}.test.ts`
)
const isFurtherRun = [process.env["CARE_FOUR_DATABASES"], process.env["CARE_POOLER"]].includes("true")

// The longest files first, so that nothing long is left at the end with nobody beside it.
class SystemFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>) {
    const sorted = await super.sort(files)
    const isLong = ({ project }: TestSpecification) => project.name === "system" || project.name === "nightly"
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

const withoutProcesses = {
  ...shared,
  exclude: [...configDefaults.exclude, ...system, ...nightly, ...inBrowser],
  setupFiles: [shared.setupFiles, "test/src/harness/noProcesses.ts"]
}

export default defineConfig({
  test: {
    globalSetup: "test/src/globalSetup.ts",
    // Each worker compiles what it runs: more workers than processors take a quarter more processor time. The test server has
    // connections for four.
    maxWorkers: Math.min(availableParallelism(), 4),
    experimental: native,
    sequence: { sequencer: SystemFirst },
    projects: [
      // Units, and one service with its database.
      { test: { ...withoutProcesses, name: "fast", include: ["packages/**/*.test.ts", "services/**/*.test.ts"] } },
      // All services in the process of the test, asked through the gateway.
      {
        test: {
          ...withoutProcesses,
          name: "api",
          include: ["test/src/**/*.test.ts"],
          exclude: [...withoutProcesses.exclude, ...(isFurtherRun ? alikeOnAll : [])],
          setupFiles: [...withoutProcesses.setupFiles, "test/src/harness/plain.ts"]
        }
      },
      { test: { ...shared, name: "system", include: system } },
      { test: { ...shared, name: "nightly", include: nightly } },
      {
        test: {
          ...shared,
          name: "console",
          include: inBrowser,
          // A screen that asks again every ten seconds is waited for several times.
          testTimeout: 120_000,
          globalSetup: "test/src/harness/console/buildConsoleOnce.ts"
        }
      }
    ]
  }
})
