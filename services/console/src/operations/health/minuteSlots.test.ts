import { assert, it } from "@effect/vitest"
import { minuteSlots } from "./minuteSlots.ts"

it("places minutes by how long ago they were, and leaves out those that are older than the chart", () => {
  const now = new Date("2026-11-26T12:00:30Z")
  const minuteAt = (text: string) => ({ minute: new Date(text), requests: 1, failed: 0, medianMs: 2, slowestMs: 3 })
  const minutes = ["2026-11-26T11:00:00Z", "2026-11-26T11:01:00Z", "2026-11-26T11:59:00Z", "2026-11-26T12:00:00Z"]
  assert.deepStrictEqual(
    minuteSlots(minutes.map(minuteAt), now).map(({ slot }) => slot),
    [0, 58, 59]
  )
})
