import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { caseBody, createCase } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { advance, clockOf, dayMillis, newSandbox } from "./harness/testClock.ts"
import { testsOn } from "./harness/testsOn.ts"

const many = 10_000

testsOn(Suite.layerWith({ RATE_LIMIT_WRITES: "100000" }), "10,000 requests to move a clock", (it) => {
  it("each is answered: it moves the clock, or is told that it moves, or to come later; nobody else waits", function* () {
    const [sandbox, other] = [yield* newSandbox, yield* newSandbox]
    const begun = performance.now()
    const start = Date.parse((yield* clockOf(sandbox.key)).json.data.now)
    const attack = Effect.all(
      Array.from({ length: many }, () => Effect.map(advance(sandbox.key, { by: "PT1H" }), ({ status }) => status)),
      { concurrency: 500 }
    )
    const beside = Effect.forEach(Array.from({ length: 20 }), () => createCase(other, caseBody(other)))
    const [statuses, created] = yield* Effect.all([attack, beside], { concurrency: "unbounded" })
    for (const { status } of created) assert.strictEqual(status, 200)
    assert.lengthOf(statuses, many)
    const counts = Object.fromEntries(
      [...Map.groupBy(statuses, (status) => status)].map(([status, all]) => [status, all.length])
    )
    const { 200: moved = 0, 409: moving = 0, 429: later = 0, 503: busy = 0, ...others } = counts
    assert.deepStrictEqual(others, {}, JSON.stringify(counts))
    assert.isAbove(moved, 0)
    assert.isAbove(moving, 0)
    assert.strictEqual(moved + moving + later + busy, many)
    const end = Date.parse((yield* clockOf(sandbox.key)).json.data.now)
    assert.closeTo(end - start, (moved * dayMillis) / 24, 1000 + performance.now() - begun)
  }, 300_000)
})
