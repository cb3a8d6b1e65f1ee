import type { Member } from "@care/domain/auth"
import type { OrganizationId } from "@care/domain/ids"
import { useQueryClient } from "@tanstack/react-query"
import { send } from "../../client/send.ts"
import { announce } from "../../ui/announce.ts"
import { ConfirmedButton } from "../../ui/ConfirmedButton.tsx"
import { WindowButton } from "../../ui/WindowButton.tsx"
import { ChangeMemberForm } from "./ChangeMemberForm.tsx"
import { MemberSessions } from "./MemberSessions.tsx"
import { members, membersKey, nameOf } from "./memberQueries.ts"
import { ResetSignIn } from "./ResetSignIn.tsx"

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
      <ResetSignIn member={member} />
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
