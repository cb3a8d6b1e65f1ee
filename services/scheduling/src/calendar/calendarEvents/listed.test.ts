import { layerAuditedDatabase } from "@care/audit/testing"
import { makePatientKeys } from "@care/phi"
import { layerTestCipher } from "@care/phi/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"
import { makeEvent } from "../../../test/makeEvent.ts"
import { makeCalendarEventsRepo } from "./CalendarEventsRepo.ts"
import type { EventRow } from "./EventRow.ts"

const TestLayer = Layer.merge(layerAuditedDatabase("scheduling"), layerTestCipher)

const dayMillis = 24 * 3600 * 1000
const begin = Date.UTC(2060, 0, 1)

// Most last some hours, many begin or end at midnight, and some last days, months or centuries around the same weeks.
const times = fc
  .tuple(
    fc.integer({ min: -20 * 24, max: 40 * 24 }),
    fc.constantFrom(1, 1, 6, 24, 48, 24 * 7, 24 * 45, 24 * 365, 24 * 36_500),
    fc.integer({ min: 0, max: 2 }),
    fc.boolean()
  )
  .map(([hour, hours, extra, isBefore]) => {
    const length = (hours + extra) * 3_600_000
    const startsAt = begin + hour * 3_600_000 - (isBefore ? length - 3_600_000 : 0)
    return { startsAt: new Date(startsAt), endsAt: new Date(startsAt + length) }
  })

const changes = fc.constantFrom("none", "none", "moved", "deleted", "archived", "reopened")
const ranges = fc.tuple(fc.integer({ min: -25, max: 45 }), fc.integer({ min: -3, max: 12 }), fc.nat(dayMillis))

layer(TestLayer, { excludeTestServices: true })("the events that are listed", (it) => {
  it.effect(
    "are exactly those that overlap the range, of any duration, also after a move, cancellation or archiving",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { insert, listed, update } = yield* makeCalendarEventsRepo
        const patientKeys = yield* makePatientKeys
        const { organizationId, userId } = makeEvent()
        const { userId: otherId } = makeEvent()
        const [ownKey, otherKey] = [
          yield* patientKeys.of(organizationId, userId),
          yield* patientKeys.of(organizationId, otherId)
        ]
        const archive = ({ id }: EventRow, isArchived: boolean) =>
          sql`UPDATE calendar_events SET of_archived_case = ${isArchived} WHERE id = ${id}`
        const expected: Array<EventRow> = []
        const samples = fc.sample(fc.tuple(times, times, changes, fc.boolean()), { numRuns: 300, seed: 13 })
        for (const [range, other, change, isOwn] of samples) {
          const event = makeEvent({ organizationId, ...range, userId: isOwn ? userId : otherId })
          const key = isOwn ? ownKey : otherKey
          yield* insert(key, event, change === "reopened")
          const after = { ...event, ...(change === "moved" && other), isDeleted: change === "deleted" }
          yield* update(key, after)
          if (change === "archived") yield* archive(event, true)
          if (change === "reopened") yield* archive(event, false)
          if (change !== "archived" && change !== "deleted") expected.push(after)
        }
        const queries = [
          ...fc.sample(ranges, { numRuns: 100, seed: 13 }).map(([first, days, part]) => ({
            from: new Date(begin + first * dayMillis + (days % 2 === 0 ? part : 0)),
            to: new Date(begin + (first + days + 1) * dayMillis - 1)
          })),
          { from: new Date(begin), to: new Date("9999-12-31T23:59:59.999Z") }
        ]
        const lengths: Array<number> = []
        for (const range of queries) {
          for (const owner of [undefined, userId]) {
            const found = yield* listed(organizationId, { ...range, userId: owner }, 1000)
            const matching = expected
              .filter((event) => owner === undefined || event.userId === owner)
              .filter(({ endsAt, startsAt }) => endsAt >= range.from && startsAt <= range.to)
              .toSorted((a, b) => +a.endsAt - +b.endsAt || (a.id < b.id ? -1 : 1))
            assert.deepStrictEqual(
              found.map(({ id }) => id),
              matching.map(({ id }) => id)
            )
            lengths.push(found.length)
            const first = yield* listed(organizationId, { ...range, userId: owner }, 3)
            assert.deepStrictEqual(first, found.slice(0, 3))
          }
        }
        assert.isAbove(Math.max(...lengths), 100)
        assert.isAtLeast(new Set(lengths).size, 20)
      })
  )
})
