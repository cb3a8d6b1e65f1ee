import { Page } from "../../ui/Page.tsx"
import { FindCases } from "./FindCases.tsx"

/** The search as a screen of its own. */
export const Search = () => (
  <Page title="Search">
    <div className="max-w-3xl">
      <FindCases />
    </div>
  </Page>
)
