import type { MinuteOfTraffic, ServiceHealth } from "@care/domain/gateway"
import { type Column, DataTable } from "../../ui/DataTable.tsx"

const clock = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" })

const columns: ReadonlyArray<Column<MinuteOfTraffic>> = [
  { title: "Minute", cell: ({ minute }) => clock.format(minute) },
  { title: "Requests", isNumber: true, cell: ({ requests }) => requests.toLocaleString("en") },
  { title: "Failed", isNumber: true, cell: ({ failed }) => failed.toLocaleString("en") },
  { title: "Median (ms)", isNumber: true, cell: ({ medianMs }) => medianMs.toLocaleString("en") },
  { title: "Slowest (ms)", isNumber: true, cell: ({ slowestMs }) => slowestMs.toLocaleString("en") }
]

/** The numbers of the charts, newest first. */
export const MinutesTable = ({ health }: { readonly health: ServiceHealth }) => (
  <details>
    <summary className="w-fit text-sm text-accent">The numbers as a table</summary>
    <div className="mt-2 max-h-80 overflow-y-auto">
      {health.lastHour.length === 0 ? (
        <p className="text-muted">No requests in the last hour.</p>
      ) : (
        <DataTable
          caption={`The last hour of ${health.service}`}
          columns={columns}
          rows={health.lastHour.toReversed()}
          keyOf={({ minute }) => String(minute.getTime())}
        />
      )}
    </div>
  </details>
)
