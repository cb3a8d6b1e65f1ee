import { randomUUID } from "node:crypto"
import { CalendarEventId } from "@care/domain/ids"
import { layerIdleJobs } from "@care/jobs/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { layerStoredCases, makeCase, makeClinic, readActivity } from "../../../test/storedCases.ts"
import { CalendarRecords } from "./CalendarRecords.ts"

const TestLayer = CalendarRecords.layer.pipe(Layer.provide(layerIdleJobs), Layer.provideMerge(layerStoredCases))

layer(TestLayer, { excludeTestServices: true })("CalendarRecords", (it) => {
  it.effect("20 who tell the same at once, and again, record each thing once and in order", () =>
    Effect.gen(function* () {
      const records = yield* CalendarRecords
      const { organizationId } = yield* makeClinic
      const { id: caseId } = yield* makeCase(organizationId)
      const eventIds = [CalendarEventId.make(randomUUID()), CalendarEventId.make(randomUUID())]
      for (const eventId of eventIds) {
        const tell = (isCancelled: boolean) => records.changed({ organizationId, caseId, eventId, isCancelled })
        yield* Effect.all(
          Array.from({ length: 20 }, () => tell(false)),
          { concurrency: "unbounded" }
        )
        yield* Effect.all(
          Array.from({ length: 20 }, () => tell(true)),
          { concurrency: "unbounded" }
        )
        yield* tell(false)
      }
      assert.deepStrictEqual(
        (yield* readActivity(organizationId, caseId)).map(({ details, sequence, type }) => ({
          sequence,
          type,
          details
        })),
        eventIds.flatMap((eventId, index) => [
          { sequence: 2 * index + 2, type: "CALENDAR_EVENT_CREATED" as const, details: { eventId } },
          { sequence: 2 * index + 3, type: "CALENDAR_EVENT_CANCELLED" as const, details: { eventId } }
        ])
      )
    })
  )

  it.effect("an event that is cancelled when it is first told of was created before", () =>
    Effect.gen(function* () {
      const records = yield* CalendarRecords
      const { organizationId } = yield* makeClinic
      const { id: caseId } = yield* makeCase(organizationId)
      const eventId = CalendarEventId.make(randomUUID())
      yield* records.changed({ organizationId, caseId, eventId, isCancelled: true })
      yield* records.changed({ organizationId, caseId, eventId, isCancelled: false })
      assert.deepStrictEqual(
        (yield* readActivity(organizationId, caseId)).map(({ type }) => type),
        ["CALENDAR_EVENT_CREATED", "CALENDAR_EVENT_CANCELLED"]
      )
    })
  )
})
