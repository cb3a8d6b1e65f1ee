import { assert, it } from "@effect/vitest"
import { MinuteCounts } from "./MinuteCounts.ts"

const minutes = 60_000
const start = Date.UTC(2026, 0, 1, 10)

const countsOf = (...added: ReadonlyArray<readonly [at: number, millis: number, isFailed?: boolean]>) => {
  const counts = new MinuteCounts()
  for (const [at, millis, isFailed = false] of added) counts.add(start + at, millis, isFailed)
  return counts
}

const medianOf = (...millis: ReadonlyArray<number>) =>
  countsOf(...millis.map((time) => [0, time] as const)).lastHour(start)[0]?.medianMs

it("requests are counted by minute, oldest first, and minutes without any are left out", () => {
  const counts = countsOf([3 * minutes, 7], [0, 4], [59_999, 12, true], [minutes, 0])
  assert.deepStrictEqual(counts.lastHour(start + 3 * minutes), [
    { minute: new Date(start), requests: 2, failed: 1, medianMs: 5, slowestMs: 12 },
    { minute: new Date(start + minutes), requests: 1, failed: 0, medianMs: 0, slowestMs: 0 },
    { minute: new Date(start + 3 * minutes), requests: 1, failed: 0, medianMs: 6, slowestMs: 7 }
  ])
})

it("a minute is forgotten after an hour, whether its place was used again or not", () => {
  const counts = countsOf([0, 5], [minutes, 5])
  const isFirst = (now: number) => counts.lastHour(start + now).map(({ minute }) => minute.getTime() - start)
  assert.deepStrictEqual(isFirst(59 * minutes), [0, minutes])
  assert.deepStrictEqual(isFirst(60 * minutes), [minutes])
  counts.add(start + 61 * minutes, 30, false)
  assert.deepStrictEqual(isFirst(61 * minutes), [61 * minutes])
  assert.deepInclude(counts.lastHour(start + 61 * minutes)[0], { requests: 1, slowestMs: 30 })
  assert.deepStrictEqual(countsOf().lastHour(start), [])
  for (let minute = 0; minute < 200; minute += 1) counts.add(start + minute * minutes, 1, false)
  assert.lengthOf(counts.lastHour(start + 199 * minutes), 60)
})

it("the median is in the range of the right one, and never above the slowest", () => {
  assert.strictEqual(medianOf(3, 3, 4, 4, 900), 4)
  assert.strictEqual(medianOf(250), 225)
  assert.strictEqual(medianOf(50_000), 30_000)
  for (const [low, high, right] of [
    [35, 60, [1, 2, 40, 50, 900]],
    [200, 400, [1, 300, 301, 302]],
    [1000, 3000, [1, 1100, 2500, 9000]]
  ] as const) {
    assert.isTrue((medianOf(...right) ?? 0) >= low && (medianOf(...right) ?? 0) <= high, right.join(", "))
  }
})
