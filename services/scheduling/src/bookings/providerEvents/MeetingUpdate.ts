import type { Meeting } from "../../provider/index.ts"
import type { MeetingReport } from "./MeetingReport.ts"
import type { ProviderEventRow } from "./ProviderEventsRepo.ts"

type Created = Extract<MeetingReport, { readonly type: "invitee.created" }>
type Times = Pick<Meeting, "startsAt" | "endsAt" | "timezone">

/** What changes an appointment: as it was told, or what is kept of that. */
export type MeetingUpdate =
  | Exclude<MeetingReport, Created>
  | (Pick<Created, "type" | "agentEventId" | "movedFrom"> & {
      readonly meeting: Partial<Meeting> & Times & Pick<Meeting, "agentEventId">
    })

const none = { startsAt: null, endsAt: null, timezone: null }

/** The times that are kept of news; none of a meeting that was called off. */
export const timesOf = (update: MeetingUpdate | undefined): { readonly [Time in keyof Times]: Times[Time] | null } => {
  if (update?.type !== "invitee.created") return none
  const { endsAt, startsAt, timezone } = update.meeting
  return { startsAt, endsAt, timezone }
}

/** The news that were kept: with no links, for which the provider is asked then, and without who called the meeting off, and why. */
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
