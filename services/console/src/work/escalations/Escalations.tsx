import { Page } from "../../ui/Page.tsx"

export const Escalations = () => <Page title="Escalations">-</Page>
