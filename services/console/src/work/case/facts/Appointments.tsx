import type { AdminCase } from "@care/domain/cases"
import { Panel } from "../../../ui/Panel.tsx"
import { fullName } from "../data/useNames.ts"
import { SafeLink } from "./SafeLink.tsx"

const days = new Intl.DateTimeFormat("en", { dateStyle: "full" })
const times = new Intl.DateTimeFormat("en", { timeStyle: "short" })

const timeAt = (at: Date, timeZone: string): string | undefined => {
  try {
    return new Intl.DateTimeFormat("en", { timeStyle: "short", timeZone }).format(at)
  } catch {
    return undefined
  }
}

/** The calendar events of a case, in the reader's time and in that of the event. */
export const Appointments = ({ caseDetail: { calendarEvents = [] } }: { readonly caseDetail: AdminCase }) =>
  calendarEvents.length === 0 ? null : (
    <Panel title="Appointments">
      <ul className="flex flex-col divide-y divide-line">
        {calendarEvents
          .toReversed()
          .map(({ endDateTime, id, meetingLink, meetingNotes, organizer, startDateTime, timezone }) => (
            <li key={id} className="flex flex-col gap-1 py-2">
              <p className="font-medium">
                <time dateTime={startDateTime.toISOString()}>
                  {days.format(startDateTime)}, {times.formatRange(startDateTime, endDateTime)}
                </time>
              </p>
              <p className="flex flex-wrap gap-x-3 text-sm text-muted">
                <span>
                  {timeAt(startDateTime, timezone)} in {timezone.replaceAll("_", " ")}
                </span>
                {organizer === null ? null : <span dir="auto">With {fullName(organizer)}</span>}
              </p>
              <SafeLink href={meetingLink}>Join the visit</SafeLink>
              {meetingNotes === "" ? null : (
                <p dir="auto" className="break-words whitespace-pre-wrap">
                  {meetingNotes}
                </p>
              )}
            </li>
          ))}
      </ul>
    </Panel>
  )
