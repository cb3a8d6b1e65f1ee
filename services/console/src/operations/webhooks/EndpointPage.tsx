import type { PagePosition } from "@care/domain/http"
import type { WebhookDelivery } from "@care/domain/webhooks"
import { getRouteApi, Link } from "@tanstack/react-router"
import { useList } from "../../client/useList.ts"
import { useMay } from "../../session/useMay.ts"
import { Breakable } from "../../ui/Breakable.tsx"
import { type Column, DataTable } from "../../ui/DataTable.tsx"
import { Empty } from "../../ui/Empty.tsx"
import { linkLook } from "../../ui/linkLook.ts"
import { Moment } from "../../ui/Moment.tsx"
import { Page } from "../../ui/Page.tsx"
import { PagedList } from "../../ui/PagedList.tsx"
import { timeIn } from "../timeIn.ts"
import { AttemptResult } from "./AttemptResult.tsx"
import { DeliveryFilters } from "./DeliveryFilters.tsx"
import { DeliveryState } from "./DeliveryState.tsx"
import { EndpointActions } from "./EndpointActions.tsx"
import { EndpointState } from "./EndpointState.tsx"
import { WaitsFor } from "./WaitsFor.tsx"
import { adminWebhooks, deliveriesKey, useEndpoint } from "./webhookQueries.ts"

const route = getRouteApi("/shell/webhooks/$endpointId")

/** The deliveries to a webhook endpoint, newest first. */
export const EndpointPage = () => {
  const { endpointId } = route.useParams()
  const endpoint = useEndpoint(endpointId)
  const may = useMay()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { caseId, eventType, status } = search
  const [since, until] = [timeIn(search.since), timeIn(search.until)]
  const query = {
    limit: 50,
    ...(caseId !== undefined && { caseId }),
    ...(eventType !== undefined && { eventType }),
    ...(status !== undefined && { status }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until })
  }
  const list = useList(
    [...deliveriesKey(endpointId), search],
    (cursor: PagePosition | undefined) =>
      adminWebhooks.deliveries({
        params: { endpointId },
        query: { ...query, ...(cursor !== undefined && { cursor }) }
      }),
    { refetchMillis: 3_000 }
  )
  const columns: ReadonlyArray<Column<WebhookDelivery>> = [
    {
      title: "Event",
      cell: ({ eventType, id }) => (
        <Link to="/webhooks/$endpointId/$deliveryId" params={{ endpointId, deliveryId: id }} className={linkLook}>
          {eventType}
        </Link>
      )
    },
    { title: "Status", cell: ({ status }) => <DeliveryState status={status} /> },
    { title: "Attempts", isNumber: true, cell: ({ attempts }) => attempts.at(-1)?.number ?? 0 },
    { title: "Last answer", cell: ({ attempts }) => <AttemptResult attempt={attempts.at(-1)} /> },
    { title: "Made", cell: ({ createdAt }) => <Moment at={createdAt} /> },
    { title: "Waits for", cell: (delivery) => <WaitsFor delivery={delivery} endpointId={endpointId} /> }
  ]
  return (
    <Page
      title="Webhook deliveries"
      actions={
        endpoint === undefined || !may("adminWebhooks", "change") ? undefined : <EndpointActions endpoint={endpoint} />
      }
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <Link to="/webhooks" className={linkLook}>
          All webhook endpoints
        </Link>
        {endpoint === undefined ? null : (
          <>
            <Breakable text={endpoint.url} />
            <EndpointState endpoint={endpoint} />
          </>
        )}
      </div>
      <DeliveryFilters search={search} onChange={(next) => void navigate({ search: next })} />
      <PagedList
        list={list}
        empty={
          <Empty title={list.hasMore ? "No deliveries on this page" : "No deliveries"}>
            Deliveries of the last 30 days that fit the filters appear here.
          </Empty>
        }
      >
        {(rows) => <DataTable caption="Webhook deliveries" columns={columns} rows={rows} keyOf={({ id }) => id} />}
      </PagedList>
    </Page>
  )
}
