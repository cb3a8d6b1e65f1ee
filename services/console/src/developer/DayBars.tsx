import type { DayOfRequests } from "@care/domain/auth"
import { dayInWords, loggedInWords } from "./dayInWords.ts"

const weekday = new Intl.DateTimeFormat("en", { weekday: "short", timeZone: "UTC" })
const short = new Intl.NumberFormat("en", { notation: "compact" })

// From the top of a bar to its foot.
const parts = [
  { title: "Failed", colour: "bg-bad", of: ({ failed }: DayOfRequests) => failed },
  { title: "Refused", colour: "bg-warn", of: ({ refused }: DayOfRequests) => refused },
  {
    title: "Done",
    colour: "bg-accent",
    of: ({ failed, refused, requests }: DayOfRequests) => Math.max(0, requests - refused - failed)
  }
] as const

/** A bar for each day, with a text that says the same. */
export const DayBars = ({ days }: { readonly days: ReadonlyArray<DayOfRequests> }) => {
  const most = Math.max(1, ...days.map(({ requests }) => requests))
  return (
    <div className="flex flex-col gap-2">
      <ol aria-label="Requests of each day" className="flex items-end gap-2">
        {days.map((day) => (
          <li key={day.begunAt.getTime()} className="flex min-w-0 flex-1 flex-col items-center gap-1">
            <span className="sr-only">
              {`${dayInWords(day.begunAt)}: ${loggedInWords(day)} requests, ${day.refused} refused, ${day.failed} failed`}
            </span>
            <span aria-hidden="true" className="text-xs tabular-nums">
              {short.format(day.requests)}
              {day.isComplete ? "" : "+"}
            </span>
            <span
              aria-hidden="true"
              className="flex h-24 w-full max-w-16 flex-col justify-end overflow-hidden rounded border-b border-line bg-raised"
            >
              {parts.map(({ colour, of, title }) =>
                of(day) === 0 ? null : (
                  <span
                    key={title}
                    className={`min-h-0.5 w-full ${colour}`}
                    style={{ height: `${(of(day) / most) * 100}%` }}
                  />
                )
              )}
            </span>
            <span aria-hidden="true" className="text-xs text-muted">
              {weekday.format(day.begunAt)}
            </span>
          </li>
        ))}
      </ol>
      <ul aria-hidden="true" className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted">
        {parts.toReversed().map(({ colour, title }) => (
          <li key={title} className="flex items-center gap-2">
            <span className={`size-3 rounded-sm ${colour}`} />
            {title}
          </li>
        ))}
      </ul>
    </div>
  )
}
