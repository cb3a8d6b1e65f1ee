import { type AppointmentsQuery, DayRangeRefused } from "@care/domain/scheduling"
import { Effect } from "effect"

/** A range of time, both ends inclusive. */
interface Range {
  readonly from: Date
  readonly to: Date
}

const lastMoment = new Date("9999-12-31T23:59:59.999Z")

/**
 * Returns the range of a query: from the start of a day to the end of another, in UTC, without the past. For a user
 * without days everything to come.
 */
export const rangeOf = (query: AppointmentsQuery, now: Date): Effect.Effect<Range, DayRangeRefused> => {
  const { end_date: end, start_date: start, user_email: email } = query
  if (start === undefined && end === undefined) {
    return email === undefined
      ? new DayRangeRefused({ problem: "missing" })
      : Effect.succeed({ from: now, to: lastMoment })
  }
  if (start === undefined || end === undefined) return new DayRangeRefused({ problem: "incomplete" })
  if (start > end) return new DayRangeRefused({ problem: "reversed" })
  const begin = new Date(`${start}T00:00:00.000Z`)
  return Effect.succeed({ from: begin > now ? begin : now, to: new Date(`${end}T23:59:59.999Z`) })
}
