import { calendarEventReplica } from "@care/domain/scheduling"
import { Replication } from "@care/replicas"
import { Effect } from "effect"
import { makeCalendarEventsRepo } from "./CalendarEventsRepo.ts"

/** Tells cases that a case has a calendar event, and that an event was cancelled. */
export class CalendarReplication extends Replication.make<CalendarReplication>()(
  "calendar-replication",
  calendarEventReplica,
  Effect.map(makeCalendarEventsRepo, ({ snapshots }) => snapshots)
) {}
