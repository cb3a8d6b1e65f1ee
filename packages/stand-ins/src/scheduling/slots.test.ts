import { assert, it } from "@effect/vitest"
import { meetingTypes } from "./MeetingType.ts"
import { seconds } from "./params.ts"
import { slotsBetween } from "./slots.ts"

const typeNamed = (id: string) => meetingTypes.find((type) => type.id === id) ?? assert.fail(`there is no ${id}`)

const slots = (type: string, from: string, until: string) =>
  slotsBetween(typeNamed(type), Date.parse(from), Date.parse(until)).map(seconds)

// The Fridays before and the Mondays after the clocks change, with their first and last slots.
const changes: ReadonlyArray<readonly [type: string, day: string, first: string, last: string]> = [
  ["et_demo_30min", "2026-03-06", "14:00", "21:30"],
  ["et_demo_30min", "2026-03-09", "13:00", "20:30"],
  ["et_demo_30min", "2026-10-30", "13:00", "20:30"],
  ["et_demo_30min", "2026-11-02", "14:00", "21:30"],
  ["et_demo_london_30min", "2026-03-27", "09:00", "16:30"],
  ["et_demo_london_30min", "2026-03-30", "08:00", "15:30"],
  ["et_demo_london_30min", "2026-10-23", "08:00", "15:30"],
  ["et_demo_london_30min", "2026-10-26", "09:00", "16:30"]
]

for (const [type, day, first, last] of changes) {
  it(`hours are those of the host's own clock: ${type} on ${day}`, () => {
    const found = slots(type, `${day}T00:00:00Z`, `${day}T23:59:59Z`)
    assert.lengthOf(found, 16)
    assert.strictEqual(found[0], `${day}T${first}:00Z`)
    assert.strictEqual(found.at(-1), `${day}T${last}:00Z`)
  })
}

it("a month across a change of clock has the slots of its working days, in their order", () => {
  const found = slots("et_demo_60min", "2026-10-15T00:00:00Z", "2026-11-15T00:00:00Z")
  assert.lengthOf(found, 22 * 8)
  assert.deepStrictEqual(found, [...found].sort())
})

it("nobody works at a weekend, which begins and ends by the host's clock", () => {
  assert.deepStrictEqual(slots("et_demo_15min", "2026-06-13T00:00:00Z", "2026-06-15T13:00:00Z"), [])
  assert.deepStrictEqual(slots("et_demo_15min", "2026-06-13T00:00:00Z", "2026-06-15T13:00:01Z"), [
    "2026-06-15T13:00:00Z"
  ])
})

it("a slot is within a time that begins with it, and not within one that ends with it", () => {
  assert.deepStrictEqual(slots("et_demo_30min", "2026-06-08T13:00:00Z", "2026-06-08T14:00:00Z"), [
    "2026-06-08T13:00:00Z",
    "2026-06-08T13:30:00Z"
  ])
  assert.deepStrictEqual(slots("et_demo_30min", "2026-06-08T13:00:00.001Z", "2026-06-08T13:30:00Z"), [])
})

it("a leap day is a day like any other", () => {
  assert.lengthOf(slots("et_demo_15min", "2028-02-29T00:00:00Z", "2028-03-01T00:00:00Z"), 32)
})
