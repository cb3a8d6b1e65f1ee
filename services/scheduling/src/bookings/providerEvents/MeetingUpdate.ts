import type { Meeting } from "../../provider/index.ts"
import type { MeetingReport } from "./MeetingReport.ts"
import type { ProviderEventRow } from "./ProviderEventsRepo.ts"

type MeetingCreated = Extract<MeetingReport, { readonly type: "invitee.created" }>
type Times = Pick<Meeting, "startsAt" | "endsAt" | "timezone">

/** A change of an appointment's meeting: a report, or the stored part of one. */
export type MeetingUpdate =
  | Exclude<MeetingReport, MeetingCreated>
  | (Pick<MeetingCreated, "type" | "agentEventId" | "movedFrom"> & {
      readonly meeting: Partial<Meeting> & Times & Pick<Meeting, "agentEventId">
    })

const noTimes = { startsAt: null, endsAt: null, timezone: null }

/** Returns the times of an update that are stored: none for a cancelled meeting. */
export const timesOf = (update: MeetingUpdate | undefined): { readonly [Time in keyof Times]: Times[Time] | null } => {
  if (update?.type !== "invitee.created") return noTimes
  const { endsAt, startsAt, timezone } = update.meeting
  return { startsAt, endsAt, timezone }
}

/**
 * Returns the update of a stored event. It has no links, which `MeetingLinks` fetches, and a cancellation has neither a reason nor who
 * cancelled.
 */
export const meetingUpdateOf = ({
  agentEventId,
  endsAt,
  movedFrom,
  startsAt,
  timezone,
  type
}: ProviderEventRow): MeetingUpdate => {
  if (type === "invitee.canceled" || startsAt === null || endsAt === null) {
    return { type: "invitee.canceled", agentEventId, isMoved: false, canceledBy: null, reason: null }
  }
  const links = { meetingLink: null, cancelUrl: null, rescheduleUrl: null }
  return { type, agentEventId, movedFrom, meeting: { agentEventId, startsAt, endsAt, timezone, ...links } }
}
