import type { ProviderEvent } from "@care/domain/scheduling"
import { Option, Schema } from "effect"
import { cancellation, cancellationOf, Invitee, inviteeEmail, meetingOf, ScheduledEvent } from "../../provider/index.ts"
import type { MeetingReport } from "./MeetingReport.ts"

const decodeCreated = Schema.decodeUnknownOption(
  Schema.Struct({ ...Invitee.fields, email: inviteeEmail, scheduled_event: ScheduledEvent })
)
const decodeCanceled = Schema.decodeUnknownOption(Schema.Struct({ ...Invitee.fields, cancellation }))

/** The types of events about a meeting. */
export const meetingEvents: ReadonlyArray<string> = ["invitee.created", "invitee.canceled"]

const isOfShared = Schema.is(
  Schema.Struct({
    scheduled_event: Schema.Struct({
      invitees_counter: Schema.Struct({ limit: Schema.Finite.check(Schema.isGreaterThan(1)) })
    })
  })
)

/** Returns whether an event is about a meeting with several invitees, which is never an appointment. */
export const isOfSharedMeeting = ({ payload }: ProviderEvent): boolean => isOfShared(payload)

/** Returns the report of an event; none when the event concerns no meeting, or cannot be read. */
export const meetingReportOf = ({ event: type, payload }: ProviderEvent): Option.Option<MeetingReport> => {
  if (type === "invitee.created") {
    return Option.map(decodeCreated(payload), ({ scheduled_event: event, ...invitee }) => ({
      type,
      agentEventId: event.uri,
      movedFrom: invitee.old_invitee ?? null,
      eventTypeId: event.event_type,
      email: invitee.email,
      meeting: meetingOf(event, invitee)
    }))
  }
  if (type === "invitee.canceled") {
    return Option.map(decodeCanceled(payload), ({ cancellation, event, rescheduled }) => ({
      type,
      agentEventId: event,
      isMoved: rescheduled === true,
      ...cancellationOf(cancellation)
    }))
  }
  return Option.none()
}
