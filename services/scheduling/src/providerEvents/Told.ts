import { Schema } from "effect"

const text = Schema.NullOr(Schema.String)

/** A meeting as it is kept of what was told. */
const ToldMeeting = Schema.Struct({
  agentEventId: Schema.String,
  title: Schema.String,
  startsAt: Schema.Date,
  endsAt: Schema.Date,
  meetingLink: text,
  cancelUrl: text,
  rescheduleUrl: text,
  host: Schema.NullOr(Schema.Struct({ name: Schema.String, email: Schema.String })),
  timezone: text
})

/** That a meeting was booked, by somebody with an email; `movedFrom` is the one that it is in place of. */
const Created = Schema.Struct({
  type: Schema.Literal("invitee.created"),
  agentEventId: Schema.String,
  movedFrom: text,
  eventTypeId: Schema.String,
  email: Schema.String,
  meeting: ToldMeeting
})

/** That a meeting was called off: `isMoved` when there is another in its place. */
const Canceled = Schema.Struct({
  type: Schema.Literal("invitee.canceled"),
  agentEventId: Schema.String,
  isMoved: Schema.Boolean,
  canceledBy: text,
  reason: text
})

/** What the scheduling provider told of a meeting, as it is kept. */
export const Told = Schema.Union([Created, Canceled])
export type Told = typeof Told.Type
