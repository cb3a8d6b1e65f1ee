import type { DeliveryAttempt } from "@care/domain/webhooks"
import { type Column, DataTable } from "../../ui/DataTable.tsx"
import { Moment } from "../../ui/Moment.tsx"
import { AttemptResult } from "./AttemptResult.tsx"

const columns: ReadonlyArray<Column<DeliveryAttempt>> = [
  { title: "Attempt", isNumber: true, cell: ({ number }) => number },
  { title: "When", cell: ({ at }) => <Moment at={at} /> },
  { title: "Result", cell: (attempt) => <AttemptResult attempt={attempt} /> },
  { title: "Took", isNumber: true, cell: ({ durationMillis }) => `${durationMillis.toLocaleString("en")} ms` },
  {
    title: "Answer",
    cell: ({ answer }) =>
      answer === null || answer === "" ? (
        <span className="text-muted">Empty</span>
      ) : (
        <pre dir="auto" className="max-h-40 overflow-auto text-sm break-all whitespace-pre-wrap">
          {answer}
        </pre>
      )
  }
]

/** The attempts of a delivery, newest first. */
export const Attempts = ({ attempts }: { readonly attempts: ReadonlyArray<DeliveryAttempt> }) =>
  attempts.length === 0 ? (
    <p className="text-muted">Nothing was sent yet.</p>
  ) : (
    <DataTable
      caption="Attempts"
      columns={columns}
      rows={attempts.toReversed()}
      keyOf={({ at, number }) => `${number} ${at.getTime()}`}
    />
  )
