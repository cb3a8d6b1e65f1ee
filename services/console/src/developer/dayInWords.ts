import type { DayOfRequests } from "@care/domain/auth"

const long = new Intl.DateTimeFormat("en", { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" })

/** A day of UTC: "Friday, November 27". */
export const dayInWords = (begunAt: Date): string => long.format(begunAt)

/** How many requests of a day are logged; with a plus if more were sent. */
export const loggedInWords = ({ isComplete, requests }: DayOfRequests): string =>
  `${requests.toLocaleString("en")}${isComplete ? "" : "+"}`
