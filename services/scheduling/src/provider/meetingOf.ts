import { TimeZone } from "@care/domain/http"
import { Schema } from "effect"
import type { Cancellation, Invitee, ScheduledEvent } from "./providerObjects.ts"

/**
 * A meeting at the provider, with the fields of a calendar event. The link may be added later. `timezone` is the
 * invitee's, null when it is unknown here.
 */
export interface Meeting {
  readonly agentEventId: string
  readonly title: string
  readonly startsAt: Date
  readonly endsAt: Date
  readonly timezone: string | null
  readonly meetingLink: string | null
  readonly cancelUrl: string | null
  readonly rescheduleUrl: string | null
  readonly host: { readonly name: string; readonly email: string } | null
}

const isZone = Schema.is(TimeZone)

const hostOf = ({ event_memberships: [host] = [] }: ScheduledEvent): Meeting["host"] =>
  host === undefined ? null : { name: host.user_name ?? "", email: host.user_email ?? "" }

export const meetingOf = (event: ScheduledEvent, invitee: Invitee | undefined): Meeting => ({
  agentEventId: event.uri,
  title: event.name ?? "Appointment",
  startsAt: event.start_time,
  endsAt: event.end_time,
  meetingLink: event.location?.join_url ?? null,
  cancelUrl: invitee?.cancel_url ?? null,
  rescheduleUrl: invitee?.reschedule_url ?? null,
  host: hostOf(event),
  timezone: isZone(invitee?.timezone) ? invitee.timezone : null
})

/** Who cancelled a meeting and why, null where the provider does not say. */
export interface MeetingCancellation {
  readonly canceledBy: string | null
  readonly reason: string | null
}

export const cancellationOf = (cancellation: Cancellation | null | undefined): MeetingCancellation => ({
  canceledBy: cancellation?.canceled_by ?? null,
  reason: cancellation?.reason ?? null
})
