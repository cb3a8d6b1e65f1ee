import { Page } from "../../ui/Page.tsx"

export const Audit = () => <Page title="Audit">-</Page>
