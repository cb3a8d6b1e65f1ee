import { CalendarEventId, OrganizationId } from "@care/domain/ids"
import { Job } from "@care/jobs"
import { Time } from "@care/service-kit"
import { Data, Effect, Option, Schema } from "effect"
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

const cancelled = (reason: string) => new Job.JobCancelled({ reason })

class LinkMissing extends Data.TaggedError("LinkMissing") {
  override get message() {
    return "The meeting has no link yet"
  }
}

/**
 * Fetches the link and other details of an appointment's meeting from the provider, until there is a link: it may be missing when a
 * meeting is booked or moved, or when only its times are known. The job is cancelled with the appointment.
 */
export class MeetingLinks extends Job.make<MeetingLinks>()("meeting-link", {
  version: 1,
  schema: Schema.Struct({ organizationId: OrganizationId, eventId: CalendarEventId, agentEventId: Schema.String }),
  retries: Job.forThreeDays,
  concurrency: 2,
  cancelledWith: ({ eventId }) => eventId
}) {
  /** The provider has usually made the conference by then. */
  static readonly delay = "15 seconds"

  static readonly layerWorker = MeetingLinks.worker(
    Effect.gen(function* () {
      const events = yield* CalendarEvents
      const provider = yield* SchedulingProvider

      return Effect.fnUntraced(function* ({ agentEventId, eventId, organizationId }) {
        const meeting = yield* provider.meeting(organizationId, agentEventId)
        const link = Option.getOrNull(meeting)?.meetingLink ?? null
        if (Option.isSome(meeting) && link === null) return yield* new LinkMissing()
        const updatedAt = yield* Time.nowAsDate
        const { agentEventId: current, meetingLink } = yield* Effect.orDie(
          events.change(organizationId, eventId, (before) => {
            const needsLink = before.agentEventId === agentEventId && !before.isDeleted && before.meetingLink === null
            return Effect.succeed(needsLink ? { ...before, ...detailsOf(meeting), updatedAt } : before)
          })
        )
        if (current !== agentEventId || meetingLink === null)
          return yield* cancelled("The meeting is another one, or over")
      })
    })
  )
}
