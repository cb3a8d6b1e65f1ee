import { layerAuditedDatabase } from "@care/audit/testing"
import { makePatientKeys } from "@care/phi"
import { layerTestCipher } from "@care/phi/testing"
import { newest } from "@care/service-kit"
import { readsOf } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { makeEvent } from "../../../test/makeEvent.ts"
import { makeCalendarEventsRepo } from "./CalendarEventsRepo.ts"

const TestLayer = Layer.merge(layerAuditedDatabase("scheduling"), layerTestCipher)

layer(TestLayer, { excludeTestServices: true })("the calendar events of a case", (it) => {
  const { caseId, organizationId, userId } = makeEvent()

  /** Adds events without readable content, one a day from a time on. */
  const addUnread = Effect.fnUntraced(function* (count: number, from: string, isDeleted: boolean) {
    const sql = yield* SqlClient.SqlClient
    yield* sql`
      INSERT INTO calendar_events (
        organization_id, id, case_id, user_id, agent_name, title, is_editable, status, starts_at, ends_at, timezone,
        is_deleted, created_at, updated_at
      )
      SELECT ${organizationId}::uuid, gen_random_uuid(), ${caseId}::uuid, gen_random_uuid(), 'custom', '', true, 'SCHEDULED',
             starts_at, starts_at, 'UTC', ${isDeleted}::boolean, now(), now()
      FROM generate_series(0, ${count - 1}::int) AS n, LATERAL (SELECT ${from}::timestamptz + n * interval '1 day') AS t (starts_at)
    `
  })

  it.effect("are paged by start, latest first, and cost the same however many there are or were cancelled", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { insert, ofCase } = yield* makeCalendarEventsRepo
      const key = yield* (yield* makePatientKeys).of(organizationId, userId)
      for (const day of [1, 2, 3, 4, 5]) {
        const startsAt = new Date(Date.UTC(2026, 0, day))
        yield* insert(key, makeEvent({ organizationId, caseId, userId, startsAt }), false)
      }
      const first = yield* ofCase(organizationId, caseId, newest, 3)
      const last = first.at(-1) ?? assert.fail()
      const second = yield* ofCase(organizationId, caseId, { createdAt: last.startsAt, id: last.id }, 3)
      assert.deepStrictEqual(
        [...first, ...second].map(({ startsAt }) => startsAt.getUTCDate()),
        [5, 4, 3, 2, 1]
      )

      const reads = readsOf(["calendar_events"], ofCase(organizationId, caseId, newest, 5))
      const few = yield* reads
      yield* addUnread(2000, "2000-01-01T00:00:00Z", false)
      yield* addUnread(2000, "2030-01-01T00:00:00Z", true)
      yield* sql`ANALYZE calendar_events`
      assert.isAtLeast(few, 5)
      assert.isAtMost(yield* reads, few)
    })
  )
})
