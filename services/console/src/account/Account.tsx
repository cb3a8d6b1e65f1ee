import { Page } from "../ui/Page.tsx"

export const Account = () => <Page title="Your account">-</Page>
