import { type CalendarEventSnapshot, calendarEventReplica } from "@care/domain/scheduling"
import { makeSnapshots } from "@care/replicas"
import { inTransaction } from "@care/service-kit"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Cases } from "../lifecycle/Cases.ts"

/** Makes the function that stores a snapshot of a calendar event, and records in the case, once each, its creation and its cancellation. */
export const makeAcceptCalendarEvent = Effect.gen(function* () {
  const cases = yield* Cases
  const events = yield* makeSnapshots(calendarEventReplica, { table: "calendar_event_snapshots", id: "eventId" })
  const sql = yield* SqlClient.SqlClient

  return Effect.fn("acceptCalendarEvent")(function* (snapshot: CalendarEventSnapshot) {
    const { caseId, eventId, organizationId, version } = snapshot
    yield* cases.lock(organizationId, caseId)
    const [before] = yield* events.find(organizationId, [eventId])
    if (!(yield* events.keep(snapshot))) return
    // Version 1 is the creation, version 2 the cancellation.
    const types = ["CALENDAR_EVENT_CREATED", "CALENDAR_EVENT_CANCELLED"] as const
    for (const type of types.slice(before?.version ?? 0, version)) {
      yield* Effect.orDie(cases.record(organizationId, caseId, { type, details: { eventId } }))
    }
  }, inTransaction(sql))
})
