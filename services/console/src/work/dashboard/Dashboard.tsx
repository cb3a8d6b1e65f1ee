import { Page } from "../../ui/Page.tsx"

export const Dashboard = () => <Page title="Start">-</Page>
