import { maxTroubles } from "@care/domain/admin"
import type { OrganizationId } from "@care/domain/ids"
import { Link } from "@tanstack/react-router"
import { chooseOrganization } from "../../session/chosenOrganization.ts"
import { linkLook } from "../../ui/linkLook.ts"

interface TroubleCountProps {
  readonly organizationId: OrganizationId
  readonly count: number
  readonly of: string
  readonly to: "/webhooks" | "/orders" | "/escalations" | "/queue"
}

/** A count of an organization. Its link chooses the organization, and opens the list of what is counted. */
export const TroubleCount = ({ count, of, organizationId, to }: TroubleCountProps) => {
  if (count === 0) return <span className="text-muted">0</span>
  return (
    <Link to={to} className={linkLook} onClick={() => chooseOrganization(organizationId)}>
      {count < maxTroubles ? count : `${maxTroubles} or more`}
      <span className="sr-only"> {of}</span>
    </Link>
  )
}
