import type { Member } from "@care/domain/auth"
import { send } from "../../client/send.ts"
import { announce } from "../../ui/announce.ts"
import { ConfirmedButton } from "../../ui/ConfirmedButton.tsx"
import { nameOf, staffAdmin } from "./memberQueries.ts"

/** The button that resets the sign-in of a person of the staff. */
export const ResetSignIn = ({ member }: { readonly member: Member }) => {
  const thing = nameOf(member)
  return (
    <ConfirmedButton
      text="Reset sign-in"
      thing={thing}
      title="Reset the sign-in?"
      onConfirm={async () => {
        await send(staffAdmin.resetSignIn({ params: { userId: member.id } }))
        announce(`${thing} has to enrol a passkey again`)
      }}
    >
      <p>
        The passkeys, recovery codes and sessions of <strong dir="auto">{thing}</strong> ({member.email}) are removed,
        and they are told so. They enrol a passkey again with their next code. Do this when their passkey is lost or
        stolen.
      </p>
    </ConfirmedButton>
  )
}
