import { spawn } from "node:child_process"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { DataDirectory, layerProcesses } from "./harness/layerProcesses.ts"
import { Suite } from "./harness/Suite.ts"

const root = join(import.meta.dirname, "..", "..")

layer(layerProcesses, { timeout: "60 seconds", excludeTestServices: true })("the care process", (it) => {
  const care = Effect.fnUntraced(function* (...parameters: ReadonlyArray<string>) {
    const env = {
      PATH: process.env["PATH"],
      CARE_URL: (yield* Suite).urls.gateway,
      CARE_DATA_DIR: yield* DataDirectory
    }
    return yield* Effect.callback<{ readonly code: number | null; readonly out: string; readonly error: string }>(
      (resume) => {
        const child = spawn(process.execPath, ["packages/cli/src/main.ts", ...parameters], { cwd: root, env })
        let out = ""
        let error = ""
        child.stdout.on("data", (text) => (out += text))
        child.stderr.on("data", (text) => (error += text))
        child.on("close", (code) => resume(Effect.succeed({ code, out, error })))
      }
    )
  })

  it.effect("works with the token that the start command keeps, and exits with 0", () =>
    Effect.gen(function* () {
      const created = yield* care("org", "create", "Acme Clinic")
      assert.match(created.out, /^name +Acme Clinic$/m)
      assert.deepStrictEqual([created.code, created.error], [0, ""])
    })
  )

  it.effect("writes one line to standard error when a command does not work, and exits with 1", () =>
    Effect.gen(function* () {
      const failed = yield* care("org", "show", "3b241101-e2bb-4255-8caf-4136c566a962")
      assert.match(failed.error, /^Organization not found: .*\n$/)
      assert.deepStrictEqual([failed.code, failed.out], [1, ""])
    })
  )
})
