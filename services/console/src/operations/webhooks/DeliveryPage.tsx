import type { WebhookDeliveryWithEvent } from "@care/domain/webhooks"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { Breakable } from "../../ui/Breakable.tsx"
import { Facts } from "../../ui/Facts.tsx"
import { Failure } from "../../ui/Failure.tsx"
import { linkLook } from "../../ui/linkLook.ts"
import { Moment } from "../../ui/Moment.tsx"
import { Page } from "../../ui/Page.tsx"
import { Panel } from "../../ui/Panel.tsx"
import { Skeleton } from "../../ui/Skeleton.tsx"
import { Attempts } from "./Attempts.tsx"
import { DeliveryState } from "./DeliveryState.tsx"
import { ReplayDelivery } from "./ReplayDelivery.tsx"
import { WaitsFor } from "./WaitsFor.tsx"
import { deliveryQuery, useEndpoint } from "./webhookQueries.ts"

const route = getRouteApi("/shell/webhooks/$endpointId/$deliveryId")

const Delivery = ({
  delivery,
  url
}: {
  readonly delivery: WebhookDeliveryWithEvent
  readonly url: string | undefined
}) => {
  const { attempts, caseId, createdAt, event, eventId, eventType, status } = delivery
  return (
    <>
      <Panel title="Delivery">
        <Facts
          facts={[
            { title: "Event", value: eventType },
            { title: "Status", value: <DeliveryState status={status} /> },
            { title: "Endpoint", value: <Breakable text={url ?? delivery.endpointId} /> },
            { title: "Made", value: <Moment at={createdAt} /> },
            { title: "Waits for", value: <WaitsFor delivery={delivery} endpointId={delivery.endpointId} /> },
            { title: "Event id", value: <code className="text-sm">{eventId}</code> },
            { title: "Case", value: caseId === null ? "None" : <code className="text-sm">{caseId}</code> }
          ]}
        />
      </Panel>
      <Panel title="Event">
        {event === null ? (
          <p className="text-muted">The event is not stored any more.</p>
        ) : (
          <pre className="overflow-auto rounded-md bg-raised p-3 text-sm break-words whitespace-pre-wrap">
            {JSON.stringify({ type: event.type, timestamp: event.timestamp, data: event.data }, null, 2)}
          </pre>
        )}
      </Panel>
      <Panel title="Attempts">
        <Attempts attempts={attempts} />
      </Panel>
    </>
  )
}

/** One delivery: what was sent, and how the endpoint answered. */
export const DeliveryPage = () => {
  const { deliveryId, endpointId } = route.useParams()
  const { data, error, refetch } = useQuery(deliveryQuery(endpointId, deliveryId))
  const url = useEndpoint(endpointId)?.url
  return (
    <Page
      title="Webhook delivery"
      actions={data === undefined ? undefined : <ReplayDelivery delivery={data} url={url} />}
    >
      <p>
        <Link to="/webhooks/$endpointId" params={{ endpointId }} className={linkLook}>
          All deliveries to the endpoint
        </Link>
      </p>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined ? error === null ? <Skeleton lines={8} /> : null : <Delivery delivery={data} url={url} />}
    </Page>
  )
}
