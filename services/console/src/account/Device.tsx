import { Page } from "../ui/Page.tsx"

export const Device = () => <Page title="Approve a device">-</Page>
