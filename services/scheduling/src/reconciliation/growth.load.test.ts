import { layerAuditedDatabase } from "@care/audit/testing"
import { readsOf } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { makeMeetingsRepo } from "./MeetingsRepo.ts"

layer(layerAuditedDatabase("scheduling"), { excludeTestServices: true })("appointments that are compared", (it) => {
  /** Seeds an appointment for each past hour, every second one cancelled, and beside each an event of another agent. */
  const seed = Effect.fnUntraced(function* (first: number, last: number) {
    const sql = yield* SqlClient.SqlClient
    yield* sql`
      INSERT INTO calendar_events (
        organization_id, id, case_id, user_id, agent_name, agent_event_id, title, is_editable, status, starts_at, ends_at, timezone,
        is_deleted, created_at, updated_at
      )
      SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), agent, agent || n, 'x', true, 'SCHEDULED',
             at, at + interval '30 minutes', 'UTC', n % 2 = 0, now(), now()
      FROM generate_series(${first}::int, ${last}::int) AS n, unnest(ARRAY['calendly', 'custom']) AS agent,
           LATERAL (SELECT '2060-01-01'::timestamptz - n * interval '1 hour' AS at) AS moment
    `
    yield* sql`ANALYZE calendar_events`
  })

  it.effect("are read at the same cost however many there are", () =>
    Effect.gen(function* () {
      const repo = yield* makeMeetingsRepo
      const ids = Array.from({ length: 100 }, (_, number) => `calendly${number}`)
      const [from, until] = [new Date("2059-12-25"), new Date("2060-01-01")]
      const costs = Effect.all([
        readsOf(["calendar_events"], repo.findByAgentEventIds(ids, false)),
        readsOf(["calendar_events"], repo.findBeginning(from, until, 200, false))
      ])
      yield* seed(0, 1000)
      const few = yield* costs
      yield* seed(1001, 10_000)
      const many = yield* costs
      for (const [index, reads] of many.entries()) assert.isAtMost(reads, 2 * (few[index] ?? 0) + 20, `${index}`)
      assert.lengthOf(yield* repo.findByAgentEventIds(ids, false), 100)
      assert.isAbove((yield* repo.findBeginning(from, until, 200, false)).length, 50)
    })
  )
})
