import { Page } from "../../ui/Page.tsx"

export const Search = () => <Page title="Search">-</Page>
