import type { Care, ListedWebhookEvent } from "@care/client"
import { CaseId, type OrganizationId, type WebhookEndpointId } from "@care/domain/ids"
import type { WebhookDelivery } from "@care/domain/webhooks"
import { queryOptions, useQueries, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { send } from "../../client/send.ts"
import { DeliveryState } from "../../operations/webhooks/DeliveryState.tsx"
import { adminWebhooks, deliveriesKey, endpointsQuery } from "../../operations/webhooks/webhookQueries.ts"
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
  readonly endpointId: WebhookEndpointId
}

const deliveriesQuery = (endpointId: WebhookEndpointId, caseId: CaseId) =>
  queryOptions({
    queryKey: [...deliveriesKey(endpointId), { caseId }],
    queryFn: async ({ signal }): Promise<ReadonlyArray<SentDelivery>> => {
      const query = { caseId, limit: 100 }
      const { data } = await send(adminWebhooks.deliveries({ params: { endpointId }, query }), signal)
      return data.map((delivery) => ({ ...delivery, endpointId }))
    },
    refetchInterval: 2_000
  })

const time = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium" })

const Deliveries = ({ deliveries }: { readonly deliveries: ReadonlyArray<SentDelivery> }) => (
  <span className="flex flex-wrap gap-x-3 gap-y-1">
    {deliveries.map(({ endpointId, id, status }) => (
      <Link key={id} to="/webhooks/$endpointId/$deliveryId" params={{ endpointId, deliveryId: id }}>
        <DeliveryState status={status} />
      </Link>
    ))}
  </span>
)

/** The events of a case as they come, and whether they arrived at the webhook endpoints. */
export const CaseEvents = ({ care, caseId, organizationId }: CaseEventsProps) => {
  const { data: events, error, refetch } = useQuery(eventsQuery(care, caseId))
  const endpoints = useQuery(endpointsQuery(organizationId)).data?.data ?? []
  const deliveries = useQueries({
    queries: endpoints.slice(0, maxEndpoints).map(({ id }) => deliveriesQuery(id, CaseId.make(caseId))),
    combine: (results) => results.flatMap(({ data = [] }) => data)
  })
  const columns: ReadonlyArray<Column<ListedWebhookEvent>> = [
    { title: "Event", cell: ({ type }) => type },
    { title: "Time of the sandbox", cell: ({ timestamp }) => time.format(new Date(timestamp)) },
    {
      title: "Deliveries",
      cell: ({ id }) => <Deliveries deliveries={deliveries.filter(({ eventId }) => eventId === id)} />
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
          Nothing is sent to you yet:{" "}
          <Link to="/webhooks" className={linkLook}>
            add a webhook endpoint
          </Link>
          , or run <code className="text-sm">care listen</code> with a test key.
        </p>
      )}
    </Panel>
  )
}
