import type { OrganizationId } from "@care/domain/ids"
import { useQuery } from "@tanstack/react-query"
import { useMay } from "../../session/useMay.ts"
import { useSession } from "../../session/useSession.ts"
import { Badge } from "../../ui/Badge.tsx"
import { Facts } from "../../ui/Facts.tsx"
import { linkLook } from "../../ui/linkLook.ts"
import { Moment } from "../../ui/Moment.tsx"
import { Panel } from "../../ui/Panel.tsx"
import { Skeleton } from "../../ui/Skeleton.tsx"
import { organizationQuery } from "../organizationQueries.ts"
import { DisableOrganization } from "./DisableOrganization.tsx"
import { OrganizationSettings } from "./OrganizationSettings.tsx"

/** What an organization is, and its settings. */
export const Overview = ({ organizationId }: { readonly organizationId: OrganizationId }) => {
  const may = useMay()
  const { role } = useSession().user
  const { data, error } = useQuery(organizationQuery(organizationId))
  // The frame shows the error.
  if (data === undefined) return error === null ? <Skeleton lines={5} /> : null
  const { apiVersion, cell, contactEmail, createdAt, id, isDisabled, supportMayReadAnswers } = data
  return (
    <>
      <Panel title="About" actions={role === "OPERATOR" ? <DisableOrganization organization={data} /> : null}>
        <Facts
          facts={[
            { title: "Id", value: <code className="text-sm break-all">{id}</code> },
            {
              title: "State",
              value: <Badge look={isDisabled ? "bad" : "good"} text={isDisabled ? "Disabled" : "Active"} />
            },
            { title: "Created", value: <Moment at={createdAt} /> },
            { title: "Contact email", value: contactEmail ?? "None: administrators get the notices" },
            { title: "Support reads answers and files", value: supportMayReadAnswers ? "Yes" : "No" },
            {
              title: "API version",
              value: (
                <a href="/docs/changelog" className={linkLook}>
                  {apiVersion}
                </a>
              )
            },
            ...(cell === undefined ? [] : [{ title: "Cell", value: cell }])
          ]}
        />
      </Panel>
      {may("organizations", "update") ? (
        <Panel title="Settings">
          <OrganizationSettings key={id} organization={data} />
        </Panel>
      ) : null}
    </>
  )
}
