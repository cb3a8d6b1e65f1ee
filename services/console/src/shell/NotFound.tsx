import { Link } from "@tanstack/react-router"
import { Page } from "../ui/Page.tsx"

/** The screen for a path that the console does not have. */
export const NotFound = () => (
  <Page title="There is no such page">
    <p>
      <Link to="/" className="text-accent underline">
        Go to the start
      </Link>
    </p>
  </Page>
)
