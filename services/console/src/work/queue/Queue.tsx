import { Page } from "../../ui/Page.tsx"

export const Queue = () => <Page title="Queue">-</Page>
