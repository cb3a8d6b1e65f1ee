import { Page } from "../../ui/Page.tsx"

export const Payments = () => <Page title="Payments">-</Page>
