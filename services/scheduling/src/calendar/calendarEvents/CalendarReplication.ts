import { CasesApi } from "@care/domain/cases"
import { CalendarEventId, OrganizationId } from "@care/domain/ids"
import { Job } from "@care/jobs"
import { peer } from "@care/service-kit"
import { Effect, Option, Schema } from "effect"
import { makeCalendarEventsRepo } from "./CalendarEventsRepo.ts"

/**
 * Sends the current state of an event to cases, which records its creation and cancellation. It is committed with the
 * change of the event.
 */
export class CalendarReplication extends Job.make<CalendarReplication>()("calendar-replication", {
  version: 1,
  schema: Schema.Struct({ organizationId: OrganizationId, eventId: CalendarEventId }),
  retries: Job.forThreeDays,
  concurrency: 4
}) {
  static readonly layerWorker = CalendarReplication.worker(
    Effect.gen(function* () {
      const cases = yield* peer(CasesApi, "caseFacts")
      const repo = yield* makeCalendarEventsRepo
      return Effect.fnUntraced(function* ({ eventId, organizationId }) {
        const found = yield* repo.find(organizationId, eventId)
        if (Option.isNone(found)) return
        const { caseId, isDeleted: isCancelled } = found.value
        yield* cases.calendarEventChanged({ payload: { organizationId, caseId, eventId, isCancelled } })
      })
    })
  )
}
