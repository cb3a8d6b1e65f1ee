import { noticesApi } from "@care/domain/auth"
import { CalendarEventId, OrganizationId } from "@care/domain/ids"
import { Job } from "@care/jobs"
import { peer, Time } from "@care/service-kit"
import { Effect, Option, Schema } from "effect"
import { CalendarEvents } from "../../calendar/index.ts"
import { CaseSnapshots } from "../../cases/index.ts"

const cancelled = (reason: string) => new Job.JobCancelled({ reason })

// All attempts failed until the appointment began, so an operator has to look why.
const tooLate = new Job.GivenUp({ reason: "The patient could not be reminded before the appointment began" })

/**
 * Sends the patient of an appointment a reminder. The job is cancelled with the appointment, and replaced when it is moved. There is no
 * reminder for a test case, a closed case, or an appointment that has begun.
 */
export class AppointmentReminders extends Job.make<AppointmentReminders>()("appointment-reminder", {
  version: 1,
  schema: Schema.Struct({ organizationId: OrganizationId, eventId: CalendarEventId, startsAt: Schema.Date }),
  retries: Job.forMessages,
  concurrency: 2,
  cancelledWith: ({ eventId }) => eventId
}) {
  static readonly layerWorker = AppointmentReminders.worker(
    Effect.gen(function* () {
      const auth = yield* peer(noticesApi, "notices")
      const events = yield* CalendarEvents
      const snapshots = yield* CaseSnapshots

      return Effect.fnUntraced(function* ({ eventId, organizationId, startsAt }, id, { isRetry }) {
        const found = yield* events.find(organizationId, eventId)
        if (Option.isNone(found) || found.value.isDeleted) return yield* cancelled("The appointment was cancelled")
        const { caseId, startsAt: currentStart, timezone, userId } = found.value
        if (+currentStart !== +startsAt) return yield* cancelled("The appointment was moved")
        if (startsAt <= (yield* Time.nowAsDate))
          return yield* isRetry ? tooLate : cancelled("The appointment has begun")
        const { isArchived, isTest, shortId } = yield* Effect.orDie(snapshots.find(organizationId, caseId))
        if (isArchived || isTest) return yield* cancelled("The case is closed, or a test")
        const notice = {
          key: id,
          kind: "APPOINTMENT_REMINDER",
          organizationId,
          userId,
          shortId,
          startsAt,
          timezone
        } as const
        yield* Effect.orDie(auth.ofCases({ payload: { notices: [notice] } }))
      })
    })
  )
}
