import { may } from "../../client/may.ts"
import { DeveloperStart } from "../../developer/DeveloperStart.tsx"
import { Troubles } from "../../operations/troubles/Troubles.tsx"
import { useOrganizationId } from "../../session/chosenOrganization.ts"
import { useSession } from "../../session/useSession.ts"
import { Page } from "../../ui/Page.tsx"
import { Counts } from "./Counts.tsx"
import { Screens } from "./Screens.tsx"

const Start = () => {
  const { role } = useSession().user
  const organizationId = useOrganizationId()
  if (!may(role, "dashboard", "read")) {
    return may(role, "usage", "list") && organizationId !== undefined ? (
      <DeveloperStart organizationId={organizationId} />
    ) : (
      <Screens />
    )
  }
  return organizationId === undefined ? <Troubles /> : <Counts organizationId={organizationId} />
}

/** The first screen: how much there is to do, at which organizations something is wrong, or where to go. */
export const Dashboard = () => (
  <Page title="Start">
    <Start />
  </Page>
)
