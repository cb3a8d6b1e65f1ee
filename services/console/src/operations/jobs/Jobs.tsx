import { Page } from "../../ui/Page.tsx"

export const Jobs = () => <Page title="Jobs">-</Page>
