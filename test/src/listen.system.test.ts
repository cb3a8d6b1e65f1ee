import { spawn } from "node:child_process"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { endpoints } from "./harness/endpoints.ts"
import { type Clinic, caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { receiveEvents } from "./harness/receiveEvents.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..")

testsOn(Suite.layer, "the process of care listen", (it) => {
  const endpointsOf = (clinic: Clinic) => Effect.map(endpoints("GET", clinic), ({ json }) => json.data)

  // As a terminal runs it: what it wrote so far, and with what it ended.
  const start = Effect.fnUntraced(function* (clinic: Clinic, ...parameters: ReadonlyArray<string>) {
    const { urls } = yield* Suite
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(process.execPath, ["packages/cli/src/main.ts", "listen", ...parameters], {
          cwd: root,
          env: { PATH: process.env["PATH"], CARE_URL: urls.gateway, CARE_API_KEY: clinic.key }
        })
      ),
      (running) => Effect.sync(() => running.kill("SIGKILL"))
    )
    const written = { out: "", told: "" }
    child.stdout.on("data", (part) => (written.out += part))
    child.stderr.on("data", (part) => (written.told += part))
    const exit = new Promise<number | null>((resolve) => child.on("exit", resolve))
    yield* until(
      Effect.sync(() => written.told),
      (told) => told.includes("Listening for events")
    )
    return { child, written, exit: Effect.promise(() => exit) }
  })

  it("prints what it passes on, and leaves no endpoint when somebody presses Ctrl-C, or stops it", function* () {
    const clinic = yield* makeClinic
    const { arrived, received, url } = yield* receiveEvents
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      const { child, exit, written } = yield* start(clinic, "--forward-to", url)
      assert.lengthOf(yield* endpointsOf(clinic), 1)
      const before = received.length
      const { caseId } = (yield* createCase(clinic, caseBody(clinic))).json.data
      yield* arrived(before + 1)
      yield* until(
        Effect.sync(() => written.told),
        (told) => told.includes(`${url} answered 204`)
      )
      assert.include(written.out, `caseId=${caseId}`)
      assert.strictEqual(JSON.parse(received[before]?.body ?? "").data.caseId, caseId)
      child.kill(signal)
      assert.strictEqual(yield* exit, 130, signal)
      assert.deepStrictEqual(yield* endpointsOf(clinic), [], signal)
    }
  })
})
