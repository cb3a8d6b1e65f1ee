import type { AdminCase, TimelineKind } from "@care/domain/cases"
import { useInfiniteQuery } from "@tanstack/react-query"
import { useState } from "react"
import { Button } from "../../../ui/Button.tsx"
import { Choice } from "../../../ui/Choice.tsx"
import { Empty } from "../../../ui/Empty.tsx"
import { Failure } from "../../../ui/Failure.tsx"
import { Skeleton } from "../../../ui/Skeleton.tsx"
import { timelineQuery } from "../data/timelineQuery.ts"
import type { Names } from "../data/useNames.ts"
import { NewEntries } from "./NewEntries.tsx"
import { TimelineItem } from "./TimelineItem.tsx"

const kinds: ReadonlyArray<{ readonly value: TimelineKind | "ALL"; readonly text: string }> = [
  { value: "ALL", text: "Everything" },
  { value: "COMMENT", text: "Comments and notes" },
  { value: "DECISION", text: "Decisions" },
  { value: "ORDER", text: "Orders" },
  { value: "ESCALATION", text: "Escalations" },
  { value: "PAYMENT", text: "Payments" },
  { value: "CALENDAR_EVENT", text: "Appointments" },
  { value: "FORM", text: "Forms" },
  { value: "FILE", text: "Files" },
  { value: "PRODUCT", text: "Products" },
  { value: "CASE", text: "Status" }
]

interface TimelineProps {
  readonly caseDetail: AdminCase
  readonly names: Names
}

/** All that happened in a case, newest first. */
export const Timeline = ({ caseDetail, names }: TimelineProps) => {
  const [kind, setKind] = useState<TimelineKind | "ALL">("ALL")
  const list = useInfiniteQuery(timelineQuery(caseDetail.id, kind === "ALL" ? undefined : kind))
  const entries = list.data?.pages.flatMap(({ data }) => data)
  return (
    <section aria-label="Timeline" className="flex flex-col rounded-lg border border-line bg-surface">
      <div className="flex items-center justify-between gap-2 border-b border-line p-3">
        <h2 className="font-semibold">Timeline</h2>
        <Choice label="Show in the timeline" isLabelHidden value={kind} options={kinds} onChange={setKind} />
      </div>
      {list.error === null ? null : <Failure error={list.error} onRetry={() => void list.refetch()} />}
      {entries === undefined ? (
        list.error === null && (
          <div className="p-3">
            <Skeleton lines={6} />
          </div>
        )
      ) : (
        <>
          <NewEntries key={kind} entries={entries} names={names} />
          {entries.length === 0 ? (
            <div className="p-3">
              <Empty title="Nothing of this kind happened" />
            </div>
          ) : (
            <ol className="flex flex-col divide-y divide-line">
              {entries.map((entry) => (
                <TimelineItem key={entry.id} caseDetail={caseDetail} entry={entry} names={names} />
              ))}
            </ol>
          )}
        </>
      )}
      {list.hasNextPage ? (
        <div className="flex justify-center border-t border-line p-2">
          <Button isPending={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()}>
            Show earlier
          </Button>
        </div>
      ) : null}
    </section>
  )
}
