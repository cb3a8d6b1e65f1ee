import { CalendarEventId, OrganizationId } from "@care/domain/ids"
import { Job } from "@care/jobs"
import { Data, DateTime, Effect, Option, Schema } from "effect"
import { CalendarEvents } from "../../calendar/index.ts"
import { type Meeting, SchedulingProvider } from "../../provider/index.ts"

const detailsOf = Option.match({
  onNone: () => ({}),
  onSome: ({ cancelUrl, host, meetingLink, rescheduleUrl, title }: Meeting) => ({
    cancelUrl,
    host,
    meetingLink,
    rescheduleUrl,
    title
  })
})

const over = (reason: string) => new Job.JobCancelled({ reason })

class LinkMissing extends Data.TaggedError("LinkMissing") {
  override get message() {
    return "The meeting has no link yet"
  }
}

/**
 * Asks the provider for the link of an appointment whose conference was still being made when it was booked or moved, or of which no
 * more is known than when it is, until there is one; and for what comes with it. It ends with the appointment.
 */
export class MeetingLinks extends Job.make<MeetingLinks>()("meeting-link", {
  version: 1,
  schema: Schema.Struct({ organizationId: OrganizationId, eventId: CalendarEventId, agentEventId: Schema.String }),
  retries: Job.forThreeDays,
  concurrency: 2,
  cancelledWith: ({ eventId }) => eventId
}) {
  /** A conference is mostly made by then. */
  static readonly delay = "15 seconds"

  static readonly layerWorker = MeetingLinks.worker(
    Effect.gen(function* () {
      const events = yield* CalendarEvents
      const provider = yield* SchedulingProvider

      return Effect.fnUntraced(function* ({ agentEventId, eventId, organizationId }) {
        const meeting = yield* provider.meeting(organizationId, agentEventId)
        const link = Option.getOrNull(meeting)?.meetingLink ?? null
        if (Option.isSome(meeting) && link === null) return yield* new LinkMissing()
        const updatedAt = yield* DateTime.nowAsDate
        const { agentEventId: current, meetingLink } = yield* Effect.orDie(
          events.change(organizationId, eventId, (before) => {
            const isStill = before.agentEventId === agentEventId && !before.isDeleted && before.meetingLink === null
            return Effect.succeed(isStill ? { ...before, ...detailsOf(meeting), updatedAt } : before)
          })
        )
        if (current !== agentEventId || meetingLink === null) return yield* over("The meeting is another one, or over")
      })
    })
  )
}
