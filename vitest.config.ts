import { configDefaults, defineConfig } from "vitest/config"

// Files share the processes that they run in, so that what they import is loaded once.
const shared = {
  pool: "forks",
  isolate: false,
  unstubEnvs: true,
  testTimeout: 60_000,
  hookTimeout: 60_000
} as const

// Tests about processes: they start some, or measure one.
const system = "**/*.system.test.ts"

const withoutProcesses = {
  ...shared,
  exclude: [...configDefaults.exclude, system],
  setupFiles: "test/src/harness/noProcesses.ts"
}

export default defineConfig({
  test: {
    globalSetup: "test/src/globalSetup.ts",
    maxWorkers: 2,
    projects: [
      // Units, and one service with its database.
      { test: { ...withoutProcesses, name: "fast", include: ["packages/**/*.test.ts", "services/**/*.test.ts"] } },
      // All services in the process of the test, asked through the gateway.
      { test: { ...withoutProcesses, name: "api", include: ["test/src/**/*.test.ts"] } },
      { test: { ...shared, name: "system", include: [system] } }
    ]
  }
})
