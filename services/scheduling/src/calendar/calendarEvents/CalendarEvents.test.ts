import { randomUUID } from "node:crypto"
import { layerAuditedDatabase } from "@care/audit/testing"
import { CalendarEventId, OrganizationId, UserId } from "@care/domain/ids"
import { layerIdleJobs } from "@care/jobs/testing"
import { layerTestCipher } from "@care/phi/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { makeEvent } from "../../../test/makeEvent.ts"
import { CalendarEvents } from "./CalendarEvents.ts"

const TestLayer = CalendarEvents.layer.pipe(
  Layer.provide(layerIdleJobs),
  Layer.provideMerge(Layer.merge(layerAuditedDatabase("scheduling", 20), layerTestCipher))
)

const texts = {
  title: "Weight loss",
  topic: "Semaglutide",
  description: "Bring your results",
  meetingLink: "https://meet.example/maria",
  cancelUrl: "https://meet.example/cancel/maria",
  rescheduleUrl: "https://meet.example/move/maria",
  meetingNotes: "Nausea",
  host: { email: "jane@example.com", name: "Dr. Jane Rivera" },
  cancellation: { canceledBy: "Maria Lopez", reason: "Feels better" }
}

layer(TestLayer, { excludeTestServices: true })("CalendarEvents", (it) => {
  const countReplications = ({ organizationId }: { readonly organizationId: OrganizationId }) =>
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) =>
        sql`SELECT id FROM jobs WHERE queue_name = 'calendar-replication' AND organization_id = ${organizationId}`
    ).pipe(Effect.map(({ length }) => length))

  it.effect("an event is found as it was stored, and its texts are not readable in the database", () =>
    Effect.gen(function* () {
      const [events, sql] = [yield* CalendarEvents, yield* SqlClient.SqlClient]
      const reportedAt = new Date("2026-03-02T00:00:00.001Z")
      const participantIds = [UserId.make(randomUUID()), UserId.make(randomUUID())]
      const event = makeEvent({
        ...texts,
        participantIds,
        organizerId: participantIds[0] ?? null,
        reportedAt,
        color: "red"
      })
      assert.deepStrictEqual(yield* events.add(event), event)
      assert.deepStrictEqual(yield* events.find(event.organizationId, event.id), Option.some(event))
      assert.deepStrictEqual(yield* events.find(OrganizationId.make(randomUUID()), event.id), Option.none())
      const [row] = yield* sql<Record<string, unknown>>`SELECT * FROM calendar_events WHERE id = ${event.id}`
      assert.strictEqual(row?.["color"], "red")
      for (const column of Struct.keys(texts))
        assert.match(String(row?.[column]), /^[A-Za-z0-9_-]{22}:[A-Za-z0-9+/=]+$/, column)
    })
  )

  it.effect("20 concurrent events with one id or one id of the agent are one event; cases is notified once", () =>
    Effect.gen(function* () {
      const events = yield* CalendarEvents
      const first = makeEvent({ agentName: "calendly", agentEventId: randomUUID() })
      const repetitions = [
        { ...first, title: "Another" },
        ...Array.from({ length: 19 }, () => ({ ...first, id: CalendarEventId.make(randomUUID()) }))
      ]
      const stored = yield* Effect.all([first, ...repetitions].map(events.add), { concurrency: "unbounded" })
      const [winner] = stored
      for (const event of stored) assert.deepStrictEqual(event, winner)
      assert.strictEqual(yield* countReplications(first), 1)
      const found = yield* events.findOfAgent("calendly", first.agentEventId ?? "")
      assert.deepStrictEqual(found, Option.some({ organizationId: first.organizationId, id: winner?.id ?? first.id }))
      assert.deepStrictEqual(yield* events.findOfAgent("custom", first.agentEventId ?? ""), Option.none())
    })
  )

  it.effect("each of concurrent changes sees the result of the previous one; a refused one changes nothing", () =>
    Effect.gen(function* () {
      const events = yield* CalendarEvents
      const event = yield* events.add(makeEvent())
      const { id, organizationId } = event
      const longer = events.change(organizationId, id, (before) =>
        Effect.succeed({ ...before, endsAt: new Date(before.endsAt.getTime() + 60_000) })
      )
      yield* Effect.all(
        Array.from({ length: 20 }, () => longer),
        { concurrency: "unbounded" }
      )
      const refused = events.change(organizationId, id, () => Effect.fail("no" as const))
      assert.strictEqual(yield* Effect.flip(refused), "no")
      const after = { ...event, endsAt: new Date(event.endsAt.getTime() + 20 * 60_000) }
      assert.deepStrictEqual(yield* events.find(organizationId, id), Option.some(after))
      assert.strictEqual(yield* countReplications(event), 1)
      const cancel = events.change(organizationId, id, (before) => Effect.succeed({ ...before, isDeleted: true }))
      yield* Effect.andThen(cancel, cancel)
      assert.strictEqual(yield* countReplications(event), 2)
      const foreign = events.change(OrganizationId.make(randomUUID()), id, Effect.succeed)
      assert.strictEqual((yield* Effect.flip(foreign))._tag, "CalendarEventNotFound")
    })
  )
})
