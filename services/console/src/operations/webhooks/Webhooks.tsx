import { Page } from "../../ui/Page.tsx"

export const Webhooks = () => <Page title="Webhooks">-</Page>
