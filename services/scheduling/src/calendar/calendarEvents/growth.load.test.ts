import { randomUUID } from "node:crypto"
import { layerAuditedDatabase } from "@care/audit/testing"
import { UserId } from "@care/domain/ids"
import { makePatientKeys } from "@care/phi"
import { layerTestCipher } from "@care/phi/testing"
import { readsOf } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { makeEvent } from "../../../test/makeEvent.ts"
import { type ListedRange, makeCalendarEventsRepo } from "./CalendarEventsRepo.ts"

const TestLayer = Layer.merge(layerAuditedDatabase("scheduling"), layerTestCipher)

layer(TestLayer, { excludeTestServices: true })("the list of appointments", (it) => {
  const { organizationId, userId } = makeEvent()
  const day = { from: new Date("2060-08-01T00:00:00.000Z"), to: new Date("2060-08-01T23:59:59.999Z") }
  const past = { from: new Date("2060-07-15T00:00:00.000Z"), to: new Date("2060-07-14T23:59:59.999Z") }
  const limit = 250

  /** Adds events without readable content. `times` are the start and end of event number `n`. */
  const add = Effect.fnUntraced(function* (count: number, times: string, state: string = "false, false") {
    const sql = yield* SqlClient.SqlClient
    yield* sql`
      INSERT INTO calendar_events (
        organization_id, id, case_id, user_id, agent_name, title, is_editable, status, starts_at, ends_at, timezone,
        created_at, updated_at, is_deleted, of_archived_case
      )
      SELECT ${organizationId}::uuid, gen_random_uuid(), gen_random_uuid(),
             CASE n % 2 WHEN 0 THEN ${userId}::uuid ELSE gen_random_uuid() END, 'custom', '', true, 'SCHEDULED',
             starts_at::timestamptz, ends_at::timestamptz, 'UTC', now(), now(), ${sql.literal(state)}
      FROM generate_series(1, ${count}::int) AS n,
           LATERAL (SELECT n % 1380 * interval '1 minute' AS part, n % 3000 * interval '1 day' AS days) AS spread,
           LATERAL (VALUES (${sql.literal(times)})) AS event (starts_at, ends_at)
    `
  })

  /** Seeds events around the day that are not listed. */
  const seed = Effect.fnUntraced(function* (count: number) {
    const sql = yield* SqlClient.SqlClient
    const inDay = "timestamp '2060-08-01' + part, timestamp '2060-08-01' + part + interval '20 minutes'"
    const lasting = "timestamp '2060-08-01' - part, timestamp '2060-08-02' + part"
    const parts = [
      ["timestamp '2060-07-14' - days, timestamp '2060-07-14 23:00' - days"],
      ["timestamp '2060-07-14' - days - days, timestamp '2060-07-14 23:00' - days"],
      ["timestamp '2060-08-02' + days, timestamp '2060-08-02 00:30' + days"],
      ["timestamp '2060-08-02' + part, timestamp '2060-08-02 00:30' + part"],
      ["timestamp '2060-08-02', timestamp '2060-08-02 00:00:01' + part"],
      ["timestamp '2060-08-02 00:00' + part, timestamp '2060-08-03 00:00:01' + part"],
      ["timestamp '2060-08-02 23:45', timestamp '2060-08-03 00:15'"],
      ["timestamp '2060-08-02' + part, timestamp '2060-08-04' + days"],
      [inDay, "true, false"],
      [inDay, "false, true"],
      [lasting, "true, false"],
      [lasting, "false, true"]
    ] as const
    yield* Effect.forEach(parts, ([times, state]) => add(Math.ceil(count / parts.length), times, state))
    yield* sql`ANALYZE calendar_events, calendar_nights`
  })

  const costOf = Effect.fnUntraced(function* (range: ListedRange, limit: number) {
    const sql = yield* SqlClient.SqlClient
    const list = (yield* makeCalendarEventsRepo).listed(organizationId, range, limit)
    const { length } = yield* list
    const reads = yield* Effect.forEach(["force_custom_plan", "force_generic_plan"], (mode) =>
      readsOf(
        ["calendar_events", "calendar_nights"],
        Effect.andThen(sql`SET LOCAL plan_cache_mode = ${sql.literal(mode)}`, list)
      )
    )
    return { length, reads: Math.max(...reads) }
  })

  it.effect("reads as many rows of 30,000 events as of 3,000, in any part of the calendar and in any state", () =>
    Effect.gen(function* () {
      const { insert } = yield* makeCalendarEventsRepo
      const key = yield* (yield* makePatientKeys).of(organizationId, userId)
      yield* seed(3000)
      for (const [startsAt, endsAt] of [
        ["2060-07-20T00:00:00Z", "2061-08-20T00:00:00Z"],
        ["2060-08-01T12:00:00Z", "2060-08-01T12:30:00Z"],
        ["2060-08-01T23:45:00Z", "2060-08-02T00:15:00Z"],
        ["2060-07-31T12:00:00Z", "2060-08-02T00:00:00Z"]
      ] as const) {
        const times = { startsAt: new Date(startsAt), endsAt: new Date(endsAt) }
        yield* insert(key, makeEvent({ organizationId, userId, ...times }), false)
      }
      const costs = Effect.all({
        ofDay: costOf(day, limit),
        ofPatient: costOf({ ...day, userId }, limit),
        ofNobody: costOf({ ...day, userId: UserId.make(randomUUID()) }, limit),
        firstOfDay: costOf(day, 2),
        ofPast: costOf(past, limit)
      })
      const few = yield* costs
      assert.deepStrictEqual(
        Object.values(few).map(({ length }) => length),
        [4, 4, 0, 2, 0]
      )
      for (const { length, reads } of Object.values(few)) {
        assert.isAtLeast(reads, length)
        assert.isAtMost(reads, 2 * length + 3)
      }
      yield* seed(27_000)
      assert.deepStrictEqual(yield* costs, few)
    })
  )

  it.effect("reads a small multiple of what it lists, with 25,000 more events in the day, over it, or over years", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { insert } = yield* makeCalendarEventsRepo
      const key = yield* (yield* makePatientKeys).of(organizationId, userId)
      const addFirst = (count: number, startsAt: Date, endsAt: Date) =>
        Effect.forEach(
          Array.from({ length: count }, () => makeEvent({ organizationId, userId, startsAt, endsAt })),
          (event) => insert(key, event, false),
          { concurrency: 5 }
        )
      yield* addFirst(2, new Date("2060-08-01T00:00:00Z"), new Date("2060-08-01T00:05:00Z"))
      yield* addFirst(limit, new Date("2060-08-01T23:45:00Z"), new Date("2060-08-02T00:15:00Z"))
      for (const [count, times] of [
        [7500, "timestamp '2060-08-01' + part, timestamp '2060-08-01 00:10' + part"],
        [10_000, "timestamp '2060-08-01 23:45', timestamp '2060-08-02 00:16' + part"],
        [4000, "timestamp '2060-07-31' + part, timestamp '2060-08-03' + part"],
        [2500, "timestamp '2060-07-29' + part, timestamp '2060-08-05' + part"],
        [1250, "timestamp '2060-08-01' - days, timestamp '2060-08-03' + days"]
      ] as const) {
        yield* add(count, times)
      }
      yield* sql`ANALYZE calendar_events, calendar_nights`
      const night = { from: day.to, to: day.to }
      for (const [range, count] of [
        [day, 2],
        [{ ...day, userId }, 2],
        [night, limit],
        [{ ...night, userId }, limit]
      ] as const) {
        const { length, reads } = yield* costOf(range, count)
        assert.strictEqual(length, count)
        // At worst each of the 23 nodes over the night has a full page.
        assert.isAtMost(reads, 23 * count + 2 * length)
      }
      assert.deepStrictEqual(yield* costOf({ ...night, userId: UserId.make(randomUUID()) }, limit), {
        length: 0,
        reads: 0
      })
    })
  )
})
