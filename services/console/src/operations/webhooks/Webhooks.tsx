import type { OrganizationId } from "@care/domain/ids"
import type { WebhookEndpoint } from "@care/domain/webhooks"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useOrganizationId } from "../../session/chosenOrganization.ts"
import { useMay } from "../../session/useMay.ts"
import { Breakable } from "../../ui/Breakable.tsx"
import { type Column, DataTable } from "../../ui/DataTable.tsx"
import { Empty } from "../../ui/Empty.tsx"
import { Failure } from "../../ui/Failure.tsx"
import { linkLook } from "../../ui/linkLook.ts"
import { Moment } from "../../ui/Moment.tsx"
import { Page } from "../../ui/Page.tsx"
import { Skeleton } from "../../ui/Skeleton.tsx"
import { Troubles } from "../troubles/Troubles.tsx"
import { AddEndpoint } from "./AddEndpoint.tsx"
import { EndpointState } from "./EndpointState.tsx"
import { endpointsQuery } from "./webhookQueries.ts"

const columns: ReadonlyArray<Column<WebhookEndpoint>> = [
  {
    title: "Address",
    cell: ({ id, url }) => (
      <Link to="/webhooks/$endpointId" params={{ endpointId: id }} className={linkLook}>
        <Breakable text={url} />
      </Link>
    )
  },
  { title: "State", cell: (endpoint) => <EndpointState endpoint={endpoint} /> },
  {
    title: "Events",
    cell: ({ eventTypes }) =>
      eventTypes === null ? "All" : <span className="break-words">{eventTypes.join(", ")}</span>
  },
  { title: "Test cases", cell: ({ includeTestCases }) => (includeTestCases ? "Included" : "Left out") },
  { title: "Made", cell: ({ createdAt }) => <Moment at={createdAt} /> }
]

const Endpoints = ({ organizationId }: { readonly organizationId: OrganizationId }) => {
  const { data, error, refetch } = useQuery(endpointsQuery(organizationId))
  if (data === undefined) {
    return error === null ? <Skeleton lines={6} /> : <Failure error={error} onRetry={() => void refetch()} />
  }
  if (data.data.length > 0) {
    return <DataTable caption="Webhook endpoints" columns={columns} rows={data.data} keyOf={({ id }) => id} />
  }
  return (
    <Empty title="No webhook endpoints">
      Add the address of your server, or do so by the partner API. What is sent to it appears here.
    </Empty>
  )
}

/** The webhook endpoints of an organization. */
export const Webhooks = () => {
  const organizationId = useOrganizationId()
  const may = useMay()
  return (
    <Page
      title="Webhooks"
      actions={
        organizationId !== undefined && may("adminWebhooks", "create") ? (
          <AddEndpoint organizationId={organizationId} />
        ) : undefined
      }
    >
      {organizationId === undefined ? (
        <>
          <p className="text-muted">
            Webhook endpoints are shown for one organization at a time. Choose it in the navigation, or here.
          </p>
          <Troubles />
        </>
      ) : (
        <Endpoints organizationId={organizationId} />
      )}
    </Page>
  )
}
