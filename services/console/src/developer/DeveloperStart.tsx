import type { OrganizationId } from "@care/domain/ids"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { EndpointState } from "../operations/webhooks/EndpointState.tsx"
import { endpointsQuery } from "../operations/webhooks/webhookQueries.ts"
import { Breakable } from "../ui/Breakable.tsx"
import { linkLook } from "../ui/linkLook.ts"
import { Panel } from "../ui/Panel.tsx"
import { RequestDays } from "./RequestDays.tsx"
import { Usage } from "./Usage.tsx"

/** What a developer looks at first: endpoints that get nothing, requests by day, and what is used of the limits. */
export const DeveloperStart = ({ organizationId }: { readonly organizationId: OrganizationId }) => {
  const { data } = useQuery(endpointsQuery(organizationId))
  const troubled = data?.data.filter(({ enabled, failingSince }) => !enabled || failingSince !== null) ?? []
  return (
    <>
      {troubled.length === 0 ? null : (
        <Panel title="Webhook endpoints that get no events">
          <ul className="flex flex-col gap-2">
            {troubled.map((endpoint) => (
              <li key={endpoint.id} className="flex flex-wrap items-center gap-2">
                <Link to="/webhooks/$endpointId" params={{ endpointId: endpoint.id }} className={linkLook}>
                  <Breakable text={endpoint.url} />
                </Link>
                <EndpointState endpoint={endpoint} />
              </li>
            ))}
          </ul>
        </Panel>
      )}
      <RequestDays organizationId={organizationId} />
      <Usage organizationId={organizationId} />
    </>
  )
}
