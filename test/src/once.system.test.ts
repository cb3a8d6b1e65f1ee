import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { call } from "./harness/call.ts"
import { casesOf, claimOf, somebodyWaits, whileCasesAreLocked } from "./harness/claims.ts"
import { inDatabase } from "./harness/database.ts"
import { dynamicBody, makeClinic } from "./harness/fixtures.ts"
import { killService } from "./harness/killService.ts"
import { layerProcesses } from "./harness/layerProcesses.ts"

layer(layerProcesses, { timeout: "60 seconds", excludeTestServices: true })("once a key", (it) => {
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

        yield* Effect.repeat(call("GET", "/health/ready"), { until: ({ status }) => status === 200 })
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
})
