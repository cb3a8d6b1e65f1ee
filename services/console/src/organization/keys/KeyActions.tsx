import type { ApiKey } from "@care/domain/auth"
import type { OrganizationId } from "@care/domain/ids"
import { WindowButton } from "../../ui/WindowButton.tsx"
import { ChangeKeyForm } from "./ChangeKeyForm.tsx"
import { RevokeKey } from "./RevokeKey.tsx"
import { RotateKey } from "./RotateKey.tsx"

interface KeyActionsProps {
  readonly apiKey: ApiKey
  readonly organizationId: OrganizationId
}

/** What a person can do with a valid key. */
export const KeyActions = ({ apiKey, organizationId }: KeyActionsProps) => (
  <span className="flex min-w-36 flex-wrap gap-1.5 2xl:flex-nowrap">
    <WindowButton isSmall text="Change" thing={apiKey.label ?? apiKey.prefix} title="Change the key">
      {(close) => <ChangeKeyForm apiKey={apiKey} organizationId={organizationId} onClose={close} />}
    </WindowButton>
    <RotateKey apiKey={apiKey} organizationId={organizationId} />
    <RevokeKey apiKey={apiKey} organizationId={organizationId} />
  </span>
)
