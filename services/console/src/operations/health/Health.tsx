import { Page } from "../../ui/Page.tsx"

export const Health = () => <Page title="Health">-</Page>
