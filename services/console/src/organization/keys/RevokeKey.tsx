import type { ApiKey } from "@care/domain/auth"
import type { OrganizationId } from "@care/domain/ids"
import { useQueryClient } from "@tanstack/react-query"
import { send } from "../../client/send.ts"
import { announce } from "../../ui/announce.ts"
import { ConfirmedButton } from "../../ui/ConfirmedButton.tsx"
import { apiKeys, keysKey } from "./keyQueries.ts"

interface RevokeKeyProps {
  readonly apiKey: ApiKey
  readonly organizationId: OrganizationId
}

/** The button that revokes a key. */
export const RevokeKey = ({ apiKey, organizationId }: RevokeKeyProps) => {
  const client = useQueryClient()
  return (
    <ConfirmedButton
      text="Revoke"
      thing={apiKey.label ?? apiKey.prefix}
      title="Revoke the key?"
      onConfirm={async () => {
        await send(apiKeys.revoke({ params: { apiKeyId: apiKey.id } }))
        await client.invalidateQueries({ queryKey: keysKey(organizationId) })
        announce("Key revoked")
      }}
    >
      <p>
        The key <strong dir="auto">{apiKey.label ?? "without label"}</strong> ({apiKey.prefix}…) stops working within 5
        seconds, for good. What uses it is refused then.
      </p>
    </ConfirmedButton>
  )
}
