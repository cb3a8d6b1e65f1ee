import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { until } from "../testing/until.ts"
import { resumeInBatches } from "./resumeInBatches.ts"

/** Who went on in each turn of the event loop, when each computes for so long. */
const turnsOf = Effect.fnUntraced(function* (millis: number) {
  const turns: Array<Array<number>> = [[]]
  let isOver = false
  // Another who wants a turn, too.
  const other = () => {
    turns.push([])
    if (!isOver) setImmediate(other)
  }
  setImmediate(other)
  resumeInBatches([1, 2, 3, 4], (one) => {
    turns.at(-1)?.push(one)
    isOver = one === 4
    const end = performance.now() + millis
    while (performance.now() < end);
  })
  yield* until(
    Effect.sync(() => isOver),
    (over) => over
  )
  return turns.filter(({ length }) => length > 0)
})

it.live("those who have little to do go on in one turn, and those who have much in one each, in their order", () =>
  Effect.gen(function* () {
    // A busy machine may take its processor away for so long.
    assert.deepStrictEqual(yield* until(turnsOf(0), ({ length }) => length === 1), [[1, 2, 3, 4]])
    assert.deepStrictEqual(yield* turnsOf(10), [[1], [2], [3], [4]])
  })
)
