import type { Meeting } from "../../provider/index.ts"

/** A meeting was booked by an invitee. `movedFrom` is the meeting that it replaces. */
interface MeetingCreated {
  readonly type: "invitee.created"
  readonly agentEventId: string
  readonly movedFrom: string | null
  readonly eventTypeId: string
  readonly email: string
  readonly meeting: Meeting
}

/** A meeting was cancelled. `isMoved` if another one replaces it. */
interface MeetingCanceled {
  readonly type: "invitee.canceled"
  readonly agentEventId: string
  readonly isMoved: boolean
  readonly canceledBy: string | null
  readonly reason: string | null
}

/** An event of the scheduling provider about a meeting. */
export type MeetingReport = MeetingCreated | MeetingCanceled
