import { Page } from "../ui/Page.tsx"

export const OrganizationPage = () => <Page title="Organization">-</Page>
