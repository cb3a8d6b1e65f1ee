import type { DayOfRequests } from "@care/domain/auth"
import type { OrganizationId } from "@care/domain/ids"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { type Column, DataTable } from "../ui/DataTable.tsx"
import { Failure } from "../ui/Failure.tsx"
import { linkLook } from "../ui/linkLook.ts"
import { Panel } from "../ui/Panel.tsx"
import { Skeleton } from "../ui/Skeleton.tsx"
import { DayBars } from "./DayBars.tsx"
import { dayInWords, loggedInWords } from "./dayInWords.ts"
import { requestDaysQuery } from "./usageQueries.ts"

const columns: ReadonlyArray<Column<DayOfRequests>> = [
  { title: "Day", cell: ({ begunAt }) => dayInWords(begunAt) },
  { title: "Requests", isNumber: true, cell: loggedInWords },
  { title: "Refused (4xx)", isNumber: true, cell: ({ refused }) => refused.toLocaleString("en") },
  { title: "Failed (5xx)", isNumber: true, cell: ({ failed }) => failed.toLocaleString("en") }
]

/** How many requests an organization sent on each of the last seven days. */
export const RequestDays = ({ organizationId }: { readonly organizationId: OrganizationId }) => {
  const { data, error, refetch } = useQuery(requestDaysQuery(organizationId))
  const days = data?.data
  return (
    <Panel
      title="Requests by day"
      actions={
        <Link to="/request-log" className={linkLook}>
          All requests
        </Link>
      }
    >
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {error === null && days === undefined ? <Skeleton lines={5} /> : null}
      {days === undefined ? null : (
        <>
          <DayBars days={days} />
          <details>
            <summary className="w-fit text-sm text-accent">The numbers as a table</summary>
            <div className="mt-2">
              <DataTable
                caption="Requests by day"
                columns={columns}
                rows={days.toReversed()}
                keyOf={({ begunAt }) => String(begunAt.getTime())}
              />
            </div>
          </details>
          <p className="text-sm text-muted">
            Days are those of UTC.
            {days.every(({ isComplete }) => isComplete)
              ? ""
              : " On a day with + more requests were sent than are logged."}
          </p>
        </>
      )}
    </Panel>
  )
}
