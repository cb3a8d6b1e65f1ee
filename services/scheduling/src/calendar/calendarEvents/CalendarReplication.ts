import { calendarEventReplica } from "@care/domain/scheduling"
import { Replication } from "@care/replicas"
import { Effect } from "effect"
import { makeCalendarEventsRepo } from "./CalendarEventsRepo.ts"

/** Replicates calendar events to cases: that an event exists, and that it was cancelled. */
export class CalendarReplication extends Replication.make<CalendarReplication>()(
  "calendar-replication",
  calendarEventReplica,
  Effect.map(makeCalendarEventsRepo, ({ snapshots }) => snapshots)
) {}
