import { Page } from "../ui/Page.tsx"

export const Organizations = () => <Page title="Organizations">-</Page>
