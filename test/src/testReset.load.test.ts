import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { call } from "./harness/call.ts"
import { addEndpoint } from "./harness/endpoints.ts"
import { caseBody, createCase, makeClinic, makeSandbox } from "./harness/fixtures.ts"
import { receiveEvents } from "./harness/receiveEvents.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"

testsOn(Suite.layer, "the reset of a sandbox with many cases", (it) => {
  it("takes less than two seconds for 1,000 cases, some of whose jobs and deliveries are under way", function* () {
    const sandbox = yield* Effect.flatMap(makeClinic, makeSandbox)
    const receiver = yield* receiveEvents
    yield* addEndpoint(sandbox, { url: receiver.url })
    const create = Effect.suspend(() => createCase(sandbox, caseBody(sandbox)))
    const begun = performance.now()
    const created = yield* Effect.forEach(Array.from({ length: 1000 }), () => create, { concurrency: 8 })
    assert.deepStrictEqual([...new Set(created.map(({ status }) => status))], [200])
    const start = performance.now()
    const madeMillis = start - begun
    const { json, status } = yield* call("POST", "/api/v1/test/reset", { key: sandbox.key })
    const millis = performance.now() - start
    yield* Effect.logInfo(`A reset of 1,000 cases took ${Math.round(millis)} ms`)
    assert.strictEqual(status, 200, JSON.stringify(json))
    // A machine that is slow makes the cases slowly, too.
    assert.isBelow(millis, Math.max(2000, madeMillis / 10))
    assert.deepStrictEqual((yield* call("GET", "/api/v1/cases", { key: sandbox.key })).json.data, [])
  }, 240_000)
})
