import { getRouteApi, Link } from "@tanstack/react-router"
import { OfOrganization } from "../../session/OfOrganization.tsx"
import { Page } from "../../ui/Page.tsx"
import { Views, viewLook } from "../../ui/Views.tsx"
import { EscalationRows } from "./EscalationRows.tsx"
import { escalationsViews } from "./escalationsViews.ts"

const route = getRouteApi("/shell/escalations")

/** The open escalations of an organization: tasks for the care team. */
export const Escalations = () => {
  const { show = "all" } = route.useSearch()
  return (
    <Page title="Escalations">
      <OfOrganization>
        {(organizationId) => (
          <>
            <Views label="Whose escalations">
              {escalationsViews.map(({ title, view }) => (
                <Link
                  key={view}
                  to="/escalations"
                  search={{ show: view }}
                  aria-current={view === show ? "page" : undefined}
                  className={viewLook}
                >
                  {title}
                </Link>
              ))}
            </Views>
            <EscalationRows key={show} view={show} organizationId={organizationId} />
          </>
        )}
      </OfOrganization>
    </Page>
  )
}
