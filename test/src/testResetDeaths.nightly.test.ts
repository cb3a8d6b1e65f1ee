import { assert } from "@effect/vitest"
import { DateTime, Effect, Fiber } from "effect"
import { call } from "./harness/call.ts"
import { inEveryDatabase } from "./harness/database.ts"
import { caseBody, createCase, makeClinic, makeSandbox } from "./harness/fixtures.ts"
import { expireLocks } from "./harness/jobsOf.ts"
import { killService, untilReady } from "./harness/killService.ts"
import { layerProcesses } from "./harness/layerProcesses.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

testsOn(layerProcesses, "the reset of a sandbox when a service is killed", (it) => {
  for (const service of ["auth", "cases"] as const) {
    it(`${service}: it goes on to its end, and then the sandbox works`, function* () {
      const sandbox = yield* Effect.flatMap(makeClinic, makeSandbox)
      const create = Effect.suspend(() => createCase(sandbox, caseBody(sandbox)))
      yield* Effect.forEach(Array.from({ length: 30 }), () => create, { concurrency: 4 })
      const states = inEveryDatabase(
        (sql, name) => sql<{ isResetting: boolean; resets: number }>`
          SELECT is_resetting AS "isResetting", resets FROM ${sql(name)}.test_organizations
          WHERE organization_id = ${sandbox.organizationId}
        `
      )
      const resetting = yield* Effect.forkChild(call("POST", "/api/v1/test/reset", { key: sandbox.key }))
      yield* until(states, (all) => all.some(({ isResetting, resets }) => isResetting || resets > 0))
      yield* killService(service)
      yield* untilReady(service)
      yield* Fiber.await(resetting)
      const expire = expireLocks(yield* DateTime.nowAsDate)
      yield* until(
        Effect.andThen(expire, states),
        (all) => all.length === 4 && all.every(({ isResetting, resets }) => !isResetting && resets === 1)
      )
      const cases = yield* call("GET", "/api/v1/cases", { key: sandbox.key })
      assert.deepStrictEqual([cases.status, cases.json.data], [200, []])
      assert.strictEqual((yield* create).status, 200)
    })
  }
})
