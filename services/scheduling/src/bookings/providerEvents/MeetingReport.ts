import type { Meeting } from "../../provider/index.ts"

/** That a meeting was booked, by somebody with an email; `movedFrom` is the one that it is in place of. */
interface Created {
  readonly type: "invitee.created"
  readonly agentEventId: string
  readonly movedFrom: string | null
  readonly eventTypeId: string
  readonly email: string
  readonly meeting: Meeting
}

/** That a meeting was called off: `isMoved` when there is another in its place. */
interface Canceled {
  readonly type: "invitee.canceled"
  readonly agentEventId: string
  readonly isMoved: boolean
  readonly canceledBy: string | null
  readonly reason: string | null
}

/** What the scheduling provider tells of a meeting. */
export type MeetingReport = Created | Canceled
