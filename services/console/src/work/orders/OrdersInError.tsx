import { OfOrganization } from "../../session/OfOrganization.tsx"
import { Page } from "../../ui/Page.tsx"
import { OrderRows } from "./OrderRows.tsx"

/** The orders of an organization that somebody has to look at. */
export const OrdersInError = () => (
  <Page title="Orders in error">
    <OfOrganization>{(organizationId) => <OrderRows organizationId={organizationId} />}</OfOrganization>
  </Page>
)
