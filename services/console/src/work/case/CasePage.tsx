import { Page } from "../../ui/Page.tsx"

export const CasePage = () => <Page title="Case">-</Page>
