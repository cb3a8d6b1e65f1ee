import { useSession } from "../session/useSession.ts"
import { Page } from "../ui/Page.tsx"
import { Panel } from "../ui/Panel.tsx"
import { inWords } from "../ui/words.ts"
import { Passkeys } from "./Passkeys.tsx"
import { RenewRecoveryCodes } from "./RenewRecoveryCodes.tsx"
import { Sessions } from "./Sessions.tsx"

/** Who the person is, and how they sign in. */
export const Account = () => {
  const { organization, user } = useSession()
  return (
    <Page title="Your account">
      <Panel title="You">
        <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
          <dt className="text-muted">Name</dt>
          <dd dir="auto" className="min-w-0 break-words">
            {user.firstName} {user.lastName}
          </dd>
          <dt className="text-muted">Email</dt>
          <dd className="min-w-0 break-words">{user.email}</dd>
          <dt className="text-muted">Role</dt>
          <dd>{inWords(user.role)}</dd>
          <dt className="text-muted">Organization</dt>
          <dd dir="auto" className="min-w-0 break-words">
            {organization.name}
          </dd>
        </dl>
      </Panel>
      <Passkeys />
      <RenewRecoveryCodes />
      <Sessions />
    </Page>
  )
}
