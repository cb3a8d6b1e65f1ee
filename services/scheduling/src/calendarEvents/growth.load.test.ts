import { randomUUID } from "node:crypto"
import { UserId } from "@care/domain/ids"
import { makePatientKeys } from "@care/service-kit"
import { layerTestCipher, layerTestDatabase, readsOf } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { makeEvent } from "../../test/makeEvent.ts"
import { makeCalendarEventsRepo } from "./CalendarEventsRepo.ts"

const TestLayer = Layer.merge(layerTestDatabase("scheduling"), layerTestCipher)

layer(TestLayer, { excludeTestServices: true })("the list of appointments", (it) => {
  const { caseId, organizationId, userId } = makeEvent()
  const day = { from: new Date("2060-08-01T00:00:00.000Z"), to: new Date("2060-08-01T23:59:59.999Z") }
  const now = new Date("2060-07-15T00:00:00.000Z")
  const ever = new Date("9999-12-31T23:59:59.999Z")

  /**
   * Events of other patients of the organization that nobody opens, all around the day: what was over, what is to come, and
   * within it what was cancelled or is of archived cases.
   */
  const seed = Effect.fnUntraced(function* (first: number, last: number) {
    const sql = yield* SqlClient.SqlClient
    yield* sql`
      INSERT INTO calendar_events (
        organization_id, id, case_id, user_id, agent_name, title, is_editable, status, starts_at, ends_at, timezone,
        is_deleted, of_archived_case, created_at, updated_at
      )
      SELECT ${organizationId}::uuid, gen_random_uuid(), gen_random_uuid(),
             CASE n % 4 WHEN 0 THEN ${userId}::uuid ELSE gen_random_uuid() END, 'custom', '', true, 'SCHEDULED',
             starts_at, starts_at + interval '30 minutes', 'UTC', n % 4 = 2, n % 4 = 3, now(), now()
      FROM generate_series(${first}::int, ${last}::int) AS n, LATERAL (
        SELECT CASE n % 4
                 WHEN 0 THEN '2060-07-01'::timestamptz - n * interval '1 hour'
                 WHEN 1 THEN '2060-08-02'::timestamptz + n * interval '1 hour'
                 ELSE '2060-08-01'::timestamptz + n % 1380 * interval '1 minute'
               END AS starts_at
      ) AS event
    `
    yield* sql`ANALYZE calendar_events`
  })

  it.effect("reads the same however many events the organization has, whatever became of them", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { insert, listed } = yield* makeCalendarEventsRepo
      const key = yield* (yield* makePatientKeys).of(organizationId, userId)
      yield* seed(0, 3000)
      for (const [startsAt, endsAt] of [
        ["2060-07-20T00:00:00Z", "2060-08-20T00:00:00Z"],
        ["2060-08-01T12:00:00Z", "2060-08-01T12:30:00Z"],
        ["2060-08-01T23:45:00Z", "2060-08-02T00:15:00Z"]
      ] as const) {
        const times = { startsAt: new Date(startsAt), endsAt: new Date(endsAt) }
        yield* insert(key, makeEvent({ organizationId, caseId, userId, ...times }), false)
      }
      const nobody = UserId.make(randomUUID())
      const lists = {
        "of a day": listed(organizationId, day, 1000),
        "of a day and a patient": listed(organizationId, { ...day, userId }, 1000),
        "of a patient": listed(organizationId, { from: now, to: ever, userId }, 1000),
        "of who has none": listed(organizationId, { from: now, to: ever, userId: nobody }, 1000),
        "of a day, the first of it": listed(organizationId, { from: now, to: day.to }, 2)
      }
      assert.deepStrictEqual(
        yield* Effect.forEach(Object.values(lists), (list) => Effect.map(list, ({ length }) => length)),
        [3, 3, 3, 0, 2]
      )
      const readsOfAll = Effect.forEach(Object.entries(lists), ([name, list]) =>
        Effect.forEach(["force_custom_plan", "force_generic_plan"], (mode) =>
          readsOf(["calendar_events"], Effect.andThen(sql`SET LOCAL plan_cache_mode = ${sql.literal(mode)}`, list))
        ).pipe(Effect.map((reads) => [name, Math.max(...reads)] as const))
      ).pipe(Effect.map((reads) => new Map(reads)))

      const few = yield* readsOfAll
      assert.isAtLeast(few.get("of a day") ?? 0, 3)
      yield* seed(3001, 40_000)
      for (const [name, reads] of yield* readsOfAll) {
        assert.isAtMost(reads, Math.max(few.get(name) ?? 0, 20) * 1.2, `${name}: ${few.get(name)}`)
      }
    })
  )
})
