import { Page } from "../../ui/Page.tsx"

export const OrdersInError = () => <Page title="Orders in error">-</Page>
