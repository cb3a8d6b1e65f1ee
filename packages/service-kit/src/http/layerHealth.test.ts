import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { serveRoutes } from "../testing/serveRoutes.ts"
import { layerHealth } from "./layerHealth.ts"

it.live("parallel readiness requests share a check, and later ones see a change", () =>
  Effect.gen(function* () {
    let looks = 0
    let isUp = true
    const check = Effect.suspend(() => {
      looks += 1
      return Effect.delay(Effect.succeed(isUp), "20 millis")
    })
    const url = yield* serveRoutes(layerHealth({ database: check }))
    const ask = Effect.promise(() => fetch(`${url}/health/ready`).then(({ status }) => status))
    const statuses = yield* Effect.replicateEffect(ask, 100, { concurrency: "unbounded" })
    assert.deepStrictEqual(new Set(statuses), new Set([200]))
    assert.isBelow(looks, 50)
    isUp = false
    assert.strictEqual(yield* Effect.repeat(ask, { until: (status) => status !== 200 }), 503)
  })
)
