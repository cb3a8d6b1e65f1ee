import type { Member } from "@care/domain/auth"
import type { OrganizationId } from "@care/domain/ids"
import { useQueryClient } from "@tanstack/react-query"
import { send } from "../../client/send.ts"
import { announce } from "../../ui/announce.ts"
import { ConfirmedButton } from "../../ui/ConfirmedButton.tsx"
import { WindowButton } from "../../ui/WindowButton.tsx"
import { ChangeMemberForm } from "./ChangeMemberForm.tsx"
import { MemberSessions } from "./MemberSessions.tsx"
import { members, membersKey, nameOf, staffAdmin } from "./memberQueries.ts"

interface MemberActionsProps {
  readonly member: Member
  readonly organizationId: OrganizationId
}

/** What an administrator can do with a member. */
export const MemberActions = ({ member, organizationId }: MemberActionsProps) => {
  const client = useQueryClient()
  const params = { userId: member.id }
  const thing = nameOf(member)
  const name = <strong dir="auto">{thing}</strong>
  return (
    <span className="flex flex-wrap gap-1.5">
      <WindowButton isSmall text="Change" thing={thing} title={`Change ${thing}`}>
        {(close) => <ChangeMemberForm member={member} organizationId={organizationId} onClose={close} />}
      </WindowButton>
      <WindowButton isSmall text="Sessions" thing={thing} title={`Sessions of ${thing}`}>
        {() => <MemberSessions userId={member.id} />}
      </WindowButton>
      <ConfirmedButton
        text="Reset sign-in"
        thing={thing}
        title="Reset the sign-in?"
        onConfirm={async () => {
          await send(staffAdmin.resetSignIn({ params }))
          announce(`${thing} has to enrol a passkey again`)
        }}
      >
        <p>
          The passkeys, recovery codes and sessions of {name} ({member.email}) are removed, and they are told so. They
          enrol a passkey again with their next code. Do this when their passkey is lost or stolen.
        </p>
      </ConfirmedButton>
      <ConfirmedButton
        text="Delete"
        thing={thing}
        title="Delete the member?"
        onConfirm={async () => {
          await send(members.removeUser({ params }))
          await client.invalidateQueries({ queryKey: membersKey(organizationId) })
          announce("Member deleted")
        }}
      >
        <p>
          {name} ({member.email}) cannot sign in any more, and gets no cases. Cases still show their name. This cannot
          be undone.
        </p>
      </ConfirmedButton>
    </span>
  )
}
