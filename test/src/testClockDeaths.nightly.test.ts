import { assert } from "@effect/vitest"
import { DateTime, Effect, Fiber } from "effect"
import { call } from "./harness/call.ts"
import { addEndpoint } from "./harness/endpoints.ts"
import { caseBody, createCase, makeClinic, makeSandbox } from "./harness/fixtures.ts"
import { expireLocks } from "./harness/jobsOf.ts"
import { killService, untilReady } from "./harness/killService.ts"
import { layerProcesses } from "./harness/layerProcesses.ts"
import { receiveEvents } from "./harness/receiveEvents.ts"
import { clockPath as path } from "./harness/testClock.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

testsOn(layerProcesses, "the clock of a sandbox", (it) => {
  for (const killed of ["auth", "cases"] as const) {
    it(`goes on to its target when ${killed} is killed, through all that is due until then`, function* () {
      const { key, ...sandbox } = yield* Effect.flatMap(makeClinic, makeSandbox)
      const receiver = yield* receiveEvents
      receiver.answer.status = 500
      const { id } = yield* addEndpoint({ key }, { url: receiver.url })
      for (let cases = 0; cases < 4; cases += 1) yield* createCase({ key, ...sandbox }, caseBody({ key, ...sandbox }))
      const moving = yield* Effect.forkChild(call("POST", `${path}/advance`, { key, body: { by: "P30D" } }))
      const clock = call("GET", path, { key })
      const begun = yield* until(clock, ({ json }) => json.data.advance !== null && json.data.advance.steps >= 3)
      yield* killService(killed)
      yield* untilReady(killed)
      yield* Fiber.await(moving)
      const expire = expireLocks(yield* DateTime.nowAsDate)
      const there = yield* until(
        Effect.andThen(expire, clock),
        ({ json, status }) => status === 200 && json.data.advance === null
      )
      const { id: advanceId } = begun.json.data.advance
      const ended = yield* call("GET", `${path}/advances/${advanceId}`, { key })
      assert.strictEqual(ended.json.data.state, "DONE")
      assert.isAbove(ended.json.data.steps, begun.json.data.advance.steps)
      assert.isAbove(Date.parse(there.json.data.now), Date.now() + 29 * 86_400_000)
      const { json } = yield* call("GET", `/api/v1/webhook-endpoints/${id}`, { key })
      assert.strictEqual(json.data.disabledReason, "FAILING")
    })
  }
})
