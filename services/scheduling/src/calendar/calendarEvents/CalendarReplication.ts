import { CasesApi } from "@care/domain/cases"
import { CalendarEventId, OrganizationId } from "@care/domain/ids"
import { Job } from "@care/jobs"
import { peer } from "@care/service-kit"
import { Effect, Option, Schema } from "effect"
import { makeCalendarEventsRepo } from "./CalendarEventsRepo.ts"

/**
 * Tells cases, whose record it is part of, that there is an event, and that it was cancelled: as it stands when the job is
 * done, so that of several the last one tells all. It is committed with the change of the event.
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
