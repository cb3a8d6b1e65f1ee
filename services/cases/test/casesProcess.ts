import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { freePort } from "@care/service-kit/testing"
import { Effect } from "effect"
import type { CasesSettings } from "./runCases.ts"

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url))

const isReady = (url: string) =>
  Effect.promise(() =>
    fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(1000) }).then(
      ({ ok }) => ok,
      () => false
    )
  )

/** Starts another process of the cases service with the same settings, on a port of its own. */
export const casesProcess = Effect.fnUntraced(function* (settings: CasesSettings) {
  const PORT = String(yield* freePort)
  const url = `http://127.0.0.1:${PORT}`
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const { NODE_COMPILE_CACHE } = process.env
      return spawn(process.execPath, [main], { env: { ...settings, PORT, NODE_COMPILE_CACHE }, stdio: "ignore" })
    }),
    (running) => Effect.sync(() => running.kill("SIGKILL"))
  )
  yield* Effect.repeat(Effect.delay(isReady(url), "50 millis"), { until: (ready) => ready })
  return { child, url }
})

const kibibytes = ({ pid }: ChildProcess): string | undefined =>
  process.platform === "linux"
    ? /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
    : spawnSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" }).stdout

/** Returns the resident memory of a process, in MiB. */
export const residentMebibytes = (child: ChildProcess): number => Number(kibibytes(child)) / 1024
