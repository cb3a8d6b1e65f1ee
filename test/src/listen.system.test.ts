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

  // Runs the command as a terminal does. Returns its output so far, and its exit.
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
    const captured = { out: "", errors: "" }
    child.stdout.on("data", (part) => (captured.out += part))
    child.stderr.on("data", (part) => (captured.errors += part))
    const exit = new Promise<number | null>((resolve) => child.on("exit", resolve))
    yield* until(
      Effect.sync(() => captured.errors),
      (text) => text.includes("Listening for events")
    )
    return { child, captured, exit: Effect.promise(() => exit) }
  })

  it("prints what it passes on, and leaves no endpoint when somebody presses Ctrl-C, or stops it", function* () {
    const clinic = yield* makeClinic
    const { arrived, received, url } = yield* receiveEvents
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      const { child, exit, captured } = yield* start(clinic, "--forward-to", url)
      assert.lengthOf(yield* endpointsOf(clinic), 1)
      const before = received.length
      const { caseId } = (yield* createCase(clinic, caseBody(clinic))).json.data
      yield* arrived(before + 1)
      yield* until(
        Effect.sync(() => captured.errors),
        (text) => text.includes(`${url} answered 204`)
      )
      assert.include(captured.out, `caseId=${caseId}`)
      assert.strictEqual(JSON.parse(received[before]?.body ?? "").data.caseId, caseId)
      child.kill(signal)
      assert.strictEqual(yield* exit, 130, signal)
      assert.deepStrictEqual(yield* endpointsOf(clinic), [], signal)
    }
  })
})
