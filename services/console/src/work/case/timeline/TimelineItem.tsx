import type { AdminCase, TimelineEntry } from "@care/domain/cases"
import { Badge } from "../../../ui/Badge.tsx"
import { classes } from "../../../ui/classes.ts"
import { Moment } from "../../../ui/Moment.tsx"
import type { Names } from "../data/useNames.ts"
import { EntryBody } from "./EntryBody.tsx"
import { entryWords } from "./entryWords.ts"

interface TimelineItemProps {
  readonly caseDetail: AdminCase
  readonly entry: TimelineEntry
  readonly names: Names
}

/** A change of the case: what, who and when. Internal notes look different from what the patient sees. */
export const TimelineItem = ({ caseDetail, entry, names }: TimelineItemProps) => {
  const isNote = entry.comment?.isRestricted === true
  return (
    <li className={classes("flex flex-col gap-1 px-3 py-2", isNote && "bg-warn-soft/60")}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <p className="flex min-w-0 flex-wrap items-center gap-2">
          <span dir="auto" className="font-medium break-words">
            {entryWords(entry, names)}
          </span>
          {isNote ? <Badge text="Care team only" look="warn" /> : null}
        </p>
        <p className="text-sm text-muted">
          <span dir="auto">{names.authorOf(entry)}</span>, <Moment at={entry.at} />
        </p>
      </div>
      <EntryBody caseDetail={caseDetail} entry={entry} />
    </li>
  )
}
