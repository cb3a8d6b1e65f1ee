import { Link } from "@tanstack/react-router"
import { linkLook } from "../ui/linkLook.ts"
import { Page } from "../ui/Page.tsx"
import { inWords } from "../ui/words.ts"

interface NotForRoleProps {
  readonly section: string
  readonly role: string
}

/** The screen in the place of one that is for other roles. */
export const NotForRole = ({ role, section }: NotForRoleProps) => (
  <Page title="This page is not for your role">
    <p>
      “{section}” is for other roles. You are signed in as {inWords(role).toLowerCase()}.
    </p>
    <p>
      <Link to="/" className={linkLook}>
        Go to the start
      </Link>
    </p>
  </Page>
)
