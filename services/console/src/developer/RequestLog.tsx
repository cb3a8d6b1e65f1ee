import { AdminRequestLogsApi } from "@care/domain/admin"
import type { LoggedRequest } from "@care/domain/auth"
import type { PagePosition } from "@care/domain/http"
import type { OrganizationId } from "@care/domain/ids"
import { getRouteApi, Link } from "@tanstack/react-router"
import { Effect } from "effect"
import { clientOf } from "../client/clientOf.ts"
import { useList } from "../client/useList.ts"
import { ChooseOrganization } from "../operations/ChooseOrganization.tsx"
import { timeIn } from "../operations/timeIn.ts"
import { useOrganizationId } from "../session/chosenOrganization.ts"
import { Badge } from "../ui/Badge.tsx"
import { Breakable } from "../ui/Breakable.tsx"
import { Choice } from "../ui/Choice.tsx"
import { type Column, DataTable } from "../ui/DataTable.tsx"
import { Empty } from "../ui/Empty.tsx"
import { Field } from "../ui/Field.tsx"
import { linkLook } from "../ui/linkLook.ts"
import { Moment } from "../ui/Moment.tsx"
import { Page } from "../ui/Page.tsx"
import { PagedList } from "../ui/PagedList.tsx"
import { TimeField } from "../ui/TimeField.tsx"

const route = getRouteApi("/shell/request-log")

const { adminRequestLogs } = Effect.runSync(clientOf(AdminRequestLogsApi))

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const

const statuses = [
  { value: "ALL", text: "All" },
  { value: "2xx", text: "Done (2xx)" },
  { value: "4xx", text: "Refused (4xx)" },
  { value: "5xx", text: "Failed (5xx)" }
] as const

const methodIn = (text: string) => methods.find((method) => method === text)

const columns: ReadonlyArray<Column<LoggedRequest>> = [
  { title: "When", cell: ({ at }) => <Moment at={at} /> },
  {
    title: "Request",
    cell: ({ method, path }) => (
      <Link
        from="/request-log"
        to="/request-log"
        search={(search) => ({ ...search, method: methodIn(method), path })}
        className={linkLook}
        title="Show these alone"
      >
        <code className="text-sm">
          {method} <Breakable text={path} />
        </code>
      </Link>
    )
  },
  {
    title: "Status",
    cell: ({ status }) => <Badge text={String(status)} look={status < 400 ? "good" : status < 500 ? "warn" : "bad"} />
  },
  {
    title: "Error",
    cell: ({ errorCode }) =>
      errorCode === null ? (
        <span className="text-muted">None</span>
      ) : (
        <a href={`/docs/errors#${errorCode}`} className={linkLook}>
          <Breakable text={errorCode} />
        </a>
      )
  },
  {
    title: "Took",
    isNumber: true,
    cell: ({ durationMs }) => <span className="whitespace-nowrap">{durationMs.toLocaleString("en")} ms</span>
  },
  { title: "Request id", cell: ({ requestId }) => <code className="text-sm">{requestId}</code> }
]

const Requests = ({ organizationId }: { readonly organizationId: OrganizationId }) => {
  const { method, path, requestId, since: sinceText, status } = route.useSearch()
  const since = timeIn(sinceText)
  const query = {
    organizationId,
    limit: 50,
    ...(status !== undefined && { status }),
    ...(method !== undefined && { method }),
    ...(path !== undefined && { path }),
    ...(requestId !== undefined && { requestId }),
    ...(since !== undefined && { since })
  }
  const list = useList(
    ["request-log", query],
    (cursor: PagePosition | undefined) =>
      adminRequestLogs.list({ query: { ...query, ...(cursor !== undefined && { cursor }) } }),
    { refetchMillis: 5_000 }
  )
  return (
    <PagedList
      list={list}
      empty={
        <Empty title="No requests">
          Requests with the keys of the organization appear here about a second later, and stay for seven days.
        </Empty>
      }
    >
      {(rows) => <DataTable caption="Requests" columns={columns} rows={rows} keyOf={({ id }) => id} />}
    </PagedList>
  )
}

/** What an organization's programs asked for in the last seven days, and how it was answered. */
export const RequestLog = () => {
  const organizationId = useOrganizationId()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <Page title="Request log">
      <div className="grid gap-3 sm:grid-cols-3">
        <Choice
          label="Status"
          value={search.status ?? "ALL"}
          options={statuses}
          onChange={(next) => void navigate({ search: { ...search, status: next === "ALL" ? undefined : next } })}
        />
        <TimeField
          label="Since"
          value={timeIn(search.since)}
          onChange={(since) => void navigate({ search: { ...search, since: since?.toISOString() } })}
        />
        <Field
          label="Request id"
          value={search.requestId ?? ""}
          spellCheck="false"
          autoComplete="off"
          hint="The header x-request-id of an answer"
          onChange={(text) =>
            void navigate({
              search: { ...search, requestId: text.trim() === "" ? undefined : text.trim() },
              replace: true
            })
          }
        />
      </div>
      {search.path === undefined ? null : (
        <p className="mt-3">
          Only <code className="text-sm">{[search.method, search.path].filter(Boolean).join(" ")}</code>.{" "}
          <Link to="/request-log" search={{ ...search, method: undefined, path: undefined }} className={linkLook}>
            Show all requests
          </Link>
        </p>
      )}
      {organizationId === undefined ? (
        <ChooseOrganization>Requests are shown for one organization at a time.</ChooseOrganization>
      ) : (
        <Requests organizationId={organizationId} />
      )}
    </Page>
  )
}
