import type { SingleSignOn } from "@care/domain/auth"
import { useQueryClient } from "@tanstack/react-query"
import { send } from "../../client/send.ts"
import { announce } from "../../ui/announce.ts"
import { ConfirmedButton } from "../../ui/ConfirmedButton.tsx"
import { signOnQuery, singleSignOn } from "./signOnQuery.ts"

/** The button that removes the single sign-on of an organization. */
export const RemoveSignOn = ({ setting }: { readonly setting: SingleSignOn }) => {
  const client = useQueryClient()
  const { domains, issuer, organizationId } = setting
  return (
    <ConfirmedButton
      text="Remove"
      title="Remove the single sign-on?"
      onConfirm={async () => {
        await send(singleSignOn.remove({ params: { organizationId } }))
        client.setQueryData(signOnQuery(organizationId).queryKey, null)
        announce("Single sign-on removed")
      }}
    >
      <p>
        Staff with emails of <strong>{domains.join(", ")}</strong> do not sign in at <strong>{issuer}</strong> any more,
        but with codes and passkeys. Their sessions go on.
      </p>
    </ConfirmedButton>
  )
}
