import { useSyncExternalStore } from "react"
import { followClock, isClockAhead } from "../client/clock.ts"

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" })
const exact = new Intl.DateTimeFormat("en", { dateStyle: "full", timeStyle: "long" })
const day = new Intl.DateTimeFormat("en", { dateStyle: "medium" })
const clock = new Intl.DateTimeFormat("en", { timeStyle: "short" })

const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000]
] as const

const inWords = (at: Date): string => {
  const millis = at.getTime() - Date.now()
  const [unit, size] = units.find(([, size]) => Math.abs(millis) >= size) ?? ["minute", 60_000]
  if (unit === "day" && Math.abs(millis) > 14 * size) return day.format(at)
  if (Math.abs(millis) < 60_000) return "just now"
  return relative.format(Math.trunc(millis / size), unit)
}

/** A time, in words as seen from now, or the date where the sandbox has another now; in the reader's zone and to the second on hover. */
export const Moment = ({ at }: { readonly at: Date }) => {
  // Some times are by the clock of the sandbox, and some, such as the use of a key, are not.
  const isAhead = useSyncExternalStore(followClock, isClockAhead)
  return (
    <time dateTime={at.toISOString()} title={exact.format(at)}>
      {isAhead ? (
        <>
          <span className="whitespace-nowrap">{day.format(at)},</span>{" "}
          <span className="whitespace-nowrap">{clock.format(at)}</span>
        </>
      ) : (
        <span className="whitespace-nowrap">{inWords(at)}</span>
      )}
    </time>
  )
}
