import { assert, it } from "@effect/vitest"
import { nextMove } from "./nextMove.ts"

const quiet = { aheadMillis: 0, isBusy: false, dueInMillis: null }

it("waits for work under way, looks twice, stops in the second of what is due first, and ends at the target", () => {
  const due = { ...quiet, dueInMillis: 500.2 }
  const target = 1500
  assert.deepStrictEqual(nextMove([quiet, { ...quiet, isBusy: true }], target, true), { _tag: "Wait" })
  assert.deepStrictEqual(nextMove([quiet, due], target, false), { _tag: "LookAgain" })
  assert.deepStrictEqual(nextMove([quiet, due], target, true), { _tag: "Set", aheadMillis: 1000 })
  assert.deepStrictEqual(nextMove([quiet, { ...due, dueInMillis: 2000 }], target, true), {
    _tag: "Set",
    aheadMillis: target
  })
  assert.deepStrictEqual(nextMove([quiet, { ...quiet, aheadMillis: 7 }], target, false), {
    _tag: "Set",
    aheadMillis: 7
  })
  const there = { ...due, aheadMillis: target }
  assert.deepStrictEqual(nextMove([there, there], target, true), { _tag: "End" })
})
