import { randomUUID } from "node:crypto"
import { CalendarEventId } from "@care/domain/ids"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { layerStoredCases, makeCase, makeClinic, readActivity } from "../../../test/storedCases.ts"
import { makeAcceptCalendarEvent } from "./makeAcceptCalendarEvent.ts"

layer(layerStoredCases, { excludeTestServices: true })("calendar events of cases", (it) => {
  it.effect("20 parallel and repeated snapshots record each change once, in order", () =>
    Effect.gen(function* () {
      const accept = yield* makeAcceptCalendarEvent
      const { organizationId } = yield* makeClinic
      const { id: caseId } = yield* makeCase(organizationId)
      const eventIds = [CalendarEventId.make(randomUUID()), CalendarEventId.make(randomUUID())]
      for (const eventId of eventIds) {
        const send = (version: 1 | 2) => accept({ organizationId, caseId, eventId, version })
        yield* Effect.all(
          Array.from({ length: 20 }, () => send(1)),
          { concurrency: "unbounded" }
        )
        yield* Effect.all(
          Array.from({ length: 20 }, () => send(2)),
          { concurrency: "unbounded" }
        )
        yield* send(1)
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

  it.effect("a first snapshot of a cancelled event records its creation, too", () =>
    Effect.gen(function* () {
      const accept = yield* makeAcceptCalendarEvent
      const { organizationId } = yield* makeClinic
      const { id: caseId } = yield* makeCase(organizationId)
      const eventId = CalendarEventId.make(randomUUID())
      yield* accept({ organizationId, caseId, eventId, version: 2 })
      yield* accept({ organizationId, caseId, eventId, version: 1 })
      assert.deepStrictEqual(
        (yield* readActivity(organizationId, caseId)).map(({ type }) => type),
        ["CALENDAR_EVENT_CREATED", "CALENDAR_EVENT_CANCELLED"]
      )
    })
  )
})
