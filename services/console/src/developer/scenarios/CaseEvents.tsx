import type { Care, ListedWebhookEvent } from "@care/client"
import { CaseId, type OrganizationId } from "@care/domain/ids"
import type { WebhookDelivery, WebhookEndpoint } from "@care/domain/webhooks"
import { queryOptions, useQueries, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { send } from "../../client/send.ts"
import { DeliveryState } from "../../operations/webhooks/DeliveryState.tsx"
import { adminWebhooks, deliveriesKey, endpointsQuery } from "../../operations/webhooks/webhookQueries.ts"
import { Breakable } from "../../ui/Breakable.tsx"
import { type Column, DataTable } from "../../ui/DataTable.tsx"
import { Empty } from "../../ui/Empty.tsx"
import { Failure } from "../../ui/Failure.tsx"
import { linkLook } from "../../ui/linkLook.ts"
import { Panel } from "../../ui/Panel.tsx"
import { Skeleton } from "../../ui/Skeleton.tsx"
import { eventsQuery } from "./caseQueries.ts"

interface CaseEventsProps {
  readonly care: Care
  readonly caseId: string
  readonly organizationId: OrganizationId
}

// More are seen on the pages of the endpoints.
const maxEndpoints = 3

interface SentDelivery extends WebhookDelivery {
  readonly endpoint: WebhookEndpoint
}

const deliveriesQuery = (endpoint: WebhookEndpoint, caseId: CaseId) =>
  queryOptions({
    queryKey: [...deliveriesKey(endpoint.id), { caseId }],
    queryFn: async ({ signal }): Promise<ReadonlyArray<SentDelivery>> => {
      const query = { caseId, limit: 100 }
      const { data } = await send(adminWebhooks.deliveries({ params: { endpointId: endpoint.id }, query }), signal)
      return data.map((delivery) => ({ ...delivery, endpoint }))
    },
    refetchInterval: 2_000
  })

const time = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium" })

interface DeliveriesProps {
  readonly deliveries: ReadonlyArray<SentDelivery>
  /** Whether there are several endpoints, which are told apart by their addresses. */
  readonly areNamed: boolean
}

const Deliveries = ({ areNamed, deliveries }: DeliveriesProps) => (
  <span className="flex flex-col gap-1">
    {deliveries.map(({ endpoint, id, status }) => (
      <Link key={id} to="/webhooks/$endpointId/$deliveryId" params={{ endpointId: endpoint.id, deliveryId: id }}>
        <DeliveryState status={status} />
        {areNamed ? (
          <span className="ml-2 text-sm text-muted">
            <Breakable text={endpoint.url.replace(/^https?:\/\//, "")} />
          </span>
        ) : null}
      </Link>
    ))}
  </span>
)

/** The events of a case as they come, and whether they arrived at the webhook endpoints. */
export const CaseEvents = ({ care, caseId, organizationId }: CaseEventsProps) => {
  const { data: events, error, refetch } = useQuery(eventsQuery(care, caseId))
  const endpoints = (useQuery(endpointsQuery(organizationId)).data?.data ?? []).filter(({ enabled }) => enabled)
  const deliveries = useQueries({
    queries: endpoints.slice(0, maxEndpoints).map((endpoint) => deliveriesQuery(endpoint, CaseId.make(caseId))),
    combine: (results) => results.flatMap(({ data = [] }) => data)
  })
  const columns: ReadonlyArray<Column<ListedWebhookEvent>> = [
    { title: "Event", cell: ({ type }) => type },
    { title: "When", cell: ({ timestamp }) => time.format(new Date(timestamp)) },
    {
      title: "Deliveries",
      cell: ({ id }) => (
        <Deliveries areNamed={endpoints.length > 1} deliveries={deliveries.filter(({ eventId }) => eventId === id)} />
      )
    }
  ]
  return (
    <Panel title="Events">
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {error === null && events === undefined ? <Skeleton lines={3} /> : null}
      {events === undefined ? null : events.length === 0 ? (
        <Empty title="No events yet">Events of the case appear here a moment after each step.</Empty>
      ) : (
        <DataTable caption="Events" columns={columns} rows={events} keyOf={({ id }) => id} />
      )}
      {endpoints.length > 0 ? null : (
        <p className="text-sm text-muted">
          No webhook endpoint gets them:{" "}
          <Link to="/webhooks" className={linkLook}>
            add or enable one
          </Link>
          , or run <code className="text-sm">care listen</code> with a test key.
        </p>
      )}
    </Panel>
  )
}
