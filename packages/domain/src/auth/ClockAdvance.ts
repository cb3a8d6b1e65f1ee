import { DateTime, Schema, Struct } from "effect"
import { codeLike } from "../http/Text.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { ClockAdvanceId } from "../Ids.ts"

/** How many years the clock of a sandbox may be ahead of the real time. */
export const maxYearsAhead = 10

/** After how many stops at due work a move of a clock ends before its target. */
export const maxAdvanceSteps = 2000

// Other languages know no look ahead: a duration without a part is one of no length, by which no clock moves.
const durationForm =
  /^P(?:(\d{1,5})Y)?(?:(\d{1,5})M)?(?:(\d{1,5})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,5})M)?(?:(\d{1,5})S)?)?$/u

/** A duration in ISO 8601, such as `P30D` or `PT36H`. */
export const IsoDuration = codeLike(durationForm, "must be a duration in ISO 8601, such as P30D or PT36H")

/** Returns the time an `IsoDuration` later: its years and months by the calendar first, in which a day that a month lacks is its last one. */
export const timeAfter = (time: DateTime.Utc, duration: string): DateTime.Utc => {
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = (
    durationForm.exec(duration) ?? []
  )
    .slice(1)
    .map((part) => Number(part ?? 0))
  return DateTime.add(DateTime.add(time, { months: 12 * years + months }), { weeks, days, hours, minutes, seconds })
}

/** How far to move a clock: one of both. */
export const AdvanceClock = Schema.Struct({
  by: Schema.optional(IsoDuration.annotate({ description: "A duration in ISO 8601, such as `P30D` or `PT36H`" })),
  to: Schema.optional(Timestamp)
}).annotate({ identifier: "AdvanceClock" })
export type AdvanceClock = typeof AdvanceClock.Type

/** A move of a sandbox organization's clock. */
export const ClockAdvance = Schema.Struct({
  id: ClockAdvanceId,
  state: Schema.Literals(["MOVING", "DONE", "STOPPED"]).annotate({
    description: `\`STOPPED\`: it ended before its target, after ${maxAdvanceSteps} stops at due work or failures. Move the clock again to go on`
  }),
  from: Timestamp,
  target: Timestamp,
  reached: Timestamp.annotate({ description: "Until when all that was due has been done" }),
  steps: Schema.Natural.annotate({ description: "How often the clock stopped for due work" })
}).annotate({ identifier: "ClockAdvance" })
export type ClockAdvance = typeof ClockAdvance.Type

/** The clock of the organization moves already, until a time. */
export class ClockMoving extends Schema.TaggedError<ClockMoving>()(
  "ClockMoving",
  Struct.pick(ClockAdvance.fields, ["target"])
) {}

/** The organization has no such move of its clock, or it was a week ago. */
export class ClockAdvanceNotFound extends Schema.TaggedError<ClockAdvanceNotFound>()("ClockAdvanceNotFound", {}) {}
