import { may } from "../../client/may.ts"
import { OfOrganization } from "../../session/OfOrganization.tsx"
import { useSession } from "../../session/useSession.ts"
import { Page } from "../../ui/Page.tsx"
import { Counts } from "./Counts.tsx"
import { Screens } from "./Screens.tsx"

/** The first screen: how much there is to do, or where to go. */
export const Dashboard = () => {
  const { role } = useSession().user
  return (
    <Page title="Start">
      {may(role, "dashboard", "read") ? (
        <OfOrganization>{(organizationId) => <Counts organizationId={organizationId} />}</OfOrganization>
      ) : (
        <Screens />
      )}
    </Page>
  )
}
