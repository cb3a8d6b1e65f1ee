import type { Organization } from "@care/domain/auth"
import { ConfirmedButton } from "../../ui/ConfirmedButton.tsx"
import { useOrganizationChange } from "./useOrganizationChange.ts"

/** The button that disables an organization, or enables it again. */
export const DisableOrganization = ({ organization }: { readonly organization: Organization }) => {
  const change = useOrganizationChange(organization.id)
  const name = <strong dir="auto">{organization.name}</strong>
  return organization.isDisabled ? (
    <ConfirmedButton
      text="Enable"
      title="Enable the organization?"
      isDanger={false}
      onConfirm={() => change({ isDisabled: false })}
    >
      <p>The keys of {name} work again. Its webhook endpoints receive the events of at most the last 30 days.</p>
    </ConfirmedButton>
  ) : (
    <ConfirmedButton text="Disable" title="Disable the organization?" onConfirm={() => change({ isDisabled: true })}>
      <p>
        The keys of {name} stop working within 5 seconds, its webhook endpoints receive nothing, and its staff are
        signed out. You can enable it again.
      </p>
    </ConfirmedButton>
  )
}
