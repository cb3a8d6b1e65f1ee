import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { until } from "../testing/until.ts"
import { resumeInBatches } from "./resumeInBatches.ts"

/** Returns the items that were resumed in each turn of the event loop, when each computes for so long. */
const turnsOf = Effect.fnUntraced(function* (millis: number) {
  const turns: Array<Array<number>> = [[]]
  let isOver = false
  // Other work that waits for a turn.
  const other = () => {
    turns.push([])
    if (!isOver) setImmediate(other)
  }
  setImmediate(other)
  resumeInBatches([1, 2, 3, 4], (item) => {
    turns.at(-1)?.push(item)
    isOver = item === 4
    const end = performance.now() + millis
    while (performance.now() < end);
  })
  yield* until(
    Effect.sync(() => isOver),
    (over) => over
  )
  return turns.filter(({ length }) => length > 0)
})

it.live("items with little work are resumed in one turn, and items with much work in a turn each, in order", () =>
  Effect.gen(function* () {
    // Repeated, because a busy machine may pause the process for longer than a turn.
    assert.deepStrictEqual(yield* until(turnsOf(0), ({ length }) => length === 1), [[1, 2, 3, 4]])
    assert.deepStrictEqual(yield* turnsOf(10), [[1], [2], [3], [4]])
  })
)
