import type { NewCaseActivity } from "@care/domain/cases"
import type { CalendarEventId, CaseId, OrganizationId } from "@care/domain/ids"
import { inTransaction } from "@care/service-kit"
import { Context, Data, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Activity } from "../activity/Activity.ts"
import { Cases } from "../lifecycle/Cases.ts"

/** What scheduling tells of an event of a case. */
interface CalendarReplication {
  readonly organizationId: OrganizationId
  readonly caseId: CaseId
  readonly eventId: CalendarEventId
  readonly isCancelled: boolean
}

/** It is recorded already. */
class Recorded extends Data.TaggedError("Recorded") {}

/** What the records of cases say of their calendar events, which scheduling keeps. */
export class CalendarRecords extends Context.Service<
  CalendarRecords,
  {
    /** Records that a case has an event, and that it was cancelled if it was: each once, however often it is told. */
    readonly changed: (change: CalendarReplication) => Effect.Effect<void>
  }
>()("@care/cases/calendarEvents/CalendarRecords") {
  static readonly layer = Layer.effect(
    CalendarRecords,
    Effect.gen(function* () {
      const activity = yield* Activity
      const cases = yield* Cases
      const sql = yield* SqlClient.SqlClient

      // Whoever records something has the case to themselves: of several who tell the same, the first is the one.
      const recordOnce = (organizationId: OrganizationId, caseId: CaseId, happened: NewCaseActivity) =>
        Effect.gen(function* () {
          yield* Effect.orDie(cases.record(organizationId, caseId, happened))
          if (yield* activity.isRepeated(organizationId, caseId, happened)) yield* new Recorded()
        }).pipe(
          inTransaction(sql),
          Effect.catchTag("Recorded", () => Effect.void)
        )

      return CalendarRecords.of({
        changed: Effect.fn("CalendarRecords.changed")(function* ({ caseId, eventId, isCancelled, organizationId }) {
          const details = { eventId }
          yield* recordOnce(organizationId, caseId, { type: "CALENDAR_EVENT_CREATED", details })
          if (isCancelled) yield* recordOnce(organizationId, caseId, { type: "CALENDAR_EVENT_CANCELLED", details })
        })
      })
    })
  ).pipe(Layer.provide([Activity.layer, Cases.layer]))
}
