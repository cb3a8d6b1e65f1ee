import type { OrganizationId } from "@care/domain/ids"
import { Link } from "@tanstack/react-router"
import { linkLook } from "../../ui/linkLook.ts"

/** The link to the list of forms. */
export const BackToForms = ({ organizationId }: { readonly organizationId: OrganizationId }) => (
  <Link to="/organizations/$organizationId/$part" params={{ organizationId, part: "forms" }} className={linkLook}>
    All forms
  </Link>
)
