import type { FormId, OrganizationId } from "@care/domain/ids"
import { Link } from "@tanstack/react-router"

interface NewFormLinkProps {
  readonly organizationId: OrganizationId
  readonly text: string
  /** The form that the new one begins as a copy of. */
  readonly from?: FormId
}

/** The link to the editor of a new form. */
export const NewFormLink = ({ from, organizationId, text }: NewFormLinkProps) => (
  <Link
    to="/organizations/$organizationId/forms/new"
    params={{ organizationId }}
    search={from === undefined ? {} : { from }}
    className="inline-flex min-h-9 items-center rounded-md bg-accent px-3 font-medium text-accent-ink hover:brightness-110"
  >
    {text}
  </Link>
)
