import type { Member } from "@care/domain/auth"
import { useQueryClient } from "@tanstack/react-query"
import { send } from "../../client/send.ts"
import { nameOf, staffAdmin } from "../../organization/members/memberQueries.ts"
import { ResetSignIn } from "../../organization/members/ResetSignIn.tsx"
import { announce } from "../../ui/announce.ts"
import { ConfirmedButton } from "../../ui/ConfirmedButton.tsx"
import { operatorsKey } from "./operatorsKey.ts"

/** What an operator can do with another one. */
export const OperatorActions = ({ operator }: { readonly operator: Member }) => {
  const client = useQueryClient()
  const thing = nameOf(operator)
  return (
    <span className="flex flex-wrap gap-1.5">
      <ResetSignIn member={operator} />
      <ConfirmedButton
        text="Deactivate"
        thing={thing}
        title="Deactivate the operator?"
        onConfirm={async () => {
          await send(staffAdmin.removeOperator({ params: { userId: operator.id } }))
          await client.invalidateQueries({ queryKey: operatorsKey })
          announce("Operator deactivated")
        }}
      >
        <p>
          <strong dir="auto">{thing}</strong> ({operator.email}) is signed out everywhere within 5 seconds, and cannot
          sign in any more. To undo it, invite them again.
        </p>
      </ConfirmedButton>
    </span>
  )
}
