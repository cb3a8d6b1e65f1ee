import { serveListener } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { runAt } from "../test/runAt.ts"
import { Screen } from "./output.ts"

const job = {
  ...{ id: "3b241101-e2bb-4255-8caf-4136c566a962", service: "cases", queue: "order-hand-over", state: "failed" },
  ...{ attempts: 5, createdAt: "2026-01-31T00:00:00.000Z", lastFailure: "The pharmacy does not answer\n  at line 1" }
}

it.live("on a terminal tables fit its width; in files they are whole", () =>
  Effect.gen(function* () {
    const answer = JSON.stringify({ data: [job], nextCursor: null })
    const { url } = yield* serveListener((_, response) => void response.end(answer))
    const list = runAt(url, ["job", "list"])
    const { out } = yield* Effect.provideService(list, Screen, { width: 100 })
    for (const line of out.split("\n")) assert.isAtMost(line.length, 100)
    assert.include(out, job.id)
    assert.include(out, "…")
    assert.match((yield* list).out, /2026-01-31T00:00:00\.000Z {2}The pharmacy does not answer …$/)
  }).pipe(Effect.scoped)
)

it.live("on a terminal progress is one line that is drawn again, and is gone before anything else is printed", () =>
  Effect.gen(function* () {
    let steps = 0
    const { url } = yield* serveListener(({ method }, response) => {
      steps += 1
      const next = steps < 3 ? { cases: String(steps) } : null
      const keys = { data: [{ service: "cases", keyId: "k1", isSealing: true, rows: 7 }], nextCursor: null }
      response.end(JSON.stringify(method === "GET" ? keys : { checked: 1, rotated: 0, next }))
    })
    const drawn: Array<string> = []
    const rotating = runAt(url, ["keys", "rotate"])
    const { err, out } = yield* Effect.provideService(rotating, Screen, { redraw: (line) => void drawn.push(line) })
    const lines = [1, 2, 3].map((checked) => `1 of 2, ${checked} rows checked, 0 encrypted again`)
    assert.deepStrictEqual(drawn, [...lines, "", ""])
    assert.deepStrictEqual(err, ["PHI_KEY has one key, which encrypts everything."])
    assert.match(out, /^cases +k1 +true +7$/m)
  }).pipe(Effect.scoped)
)
