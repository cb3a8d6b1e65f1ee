import { spawn } from "node:child_process"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { call } from "./harness/call.ts"
import { casesOf, claimOf, somebodyWaits, whileCasesAreLocked } from "./harness/claims.ts"
import { inDatabase } from "./harness/database.ts"
import { dynamicBody, makeClinic } from "./harness/fixtures.ts"
import { killService } from "./harness/killService.ts"
import { DataDirectory, layerProcesses } from "./harness/layerProcesses.ts"
import { Suite } from "./harness/Suite.ts"
import { until } from "./harness/until.ts"

const root = join(import.meta.dirname, "..", "..")

layer(layerProcesses, { timeout: "60 seconds", excludeTestServices: true })("the processes of the suite", (it) => {
  it.effect(
    "a service that is killed before it stored a case: the next request makes it, with the same ids, once",
    () =>
      Effect.gen(function* () {
        const clinic = yield* makeClinic
        const body = dynamicBody()
        const create = call("POST", "/api/v1/dynamic-case", {
          key: clinic.key,
          body,
          headers: { "idempotency-key": "killed" }
        })
        const killed = yield* whileCasesAreLocked(
          Effect.gen(function* () {
            const request = yield* Effect.forkChild(create)
            yield* somebodyWaits
            yield* killService("cases")
            return yield* Fiber.join(request)
          })
        )
        assert.isAtLeast(killed.status, 500)
        const [claim] = yield* claimOf(clinic, "killed")
        assert.deepStrictEqual([claim?.answer, yield* casesOf(clinic)], [null, []])

        yield* until(call("GET", "/health/ready"), ({ status }) => status === 200)
        const fiveTimes = Effect.all(
          Array.from({ length: 5 }, () => create),
          { concurrency: "unbounded" }
        )
        for (const { json, status } of yield* fiveTimes) {
          assert.deepStrictEqual(
            [status, json.data],
            [200, { caseId: claim?.ids.caseId, formResponseId: claim?.ids.formResponseId }]
          )
        }
        assert.deepStrictEqual(yield* casesOf(clinic), [
          { id: claim?.ids.caseId ?? "", user_id: claim?.ids.newUserId ?? "" }
        ])
        const patients = yield* inDatabase((sql) => sql`SELECT id FROM auth.users WHERE email = ${body.email}`)
        assert.deepStrictEqual(patients, [{ id: claim?.ids.newUserId }])
      })
  )

  const care = Effect.fnUntraced(function* (...parameters: ReadonlyArray<string>) {
    const env = {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
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

  it.effect("care works with the token that the start command keeps, and exits with 0", () =>
    Effect.gen(function* () {
      const created = yield* care("org", "create", "Acme Clinic")
      assert.match(created.out, /^name +Acme Clinic$/m)
      assert.deepStrictEqual([created.code, created.error], [0, ""])
    })
  )

  it.effect("care writes one line to standard error when a command does not work, and exits with 1", () =>
    Effect.gen(function* () {
      const failed = yield* care("org", "show", "3b241101-e2bb-4255-8caf-4136c566a962")
      assert.match(failed.error, /^Organization not found: .*\n$/)
      assert.deepStrictEqual([failed.code, failed.out], [1, ""])
    })
  )
})
