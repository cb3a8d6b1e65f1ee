import type { OrganizationId } from "@care/domain/ids"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { Empty } from "../ui/Empty.tsx"
import { linkLook } from "../ui/linkLook.ts"
import { useOrganizationId } from "./chosenOrganization.ts"

interface OfOrganizationProps {
  readonly children: (organizationId: OrganizationId) => ReactNode
}

/** What is shown of one organization. It asks operators who look at all of them to choose one. */
export const OfOrganization = ({ children }: OfOrganizationProps) => {
  const organizationId = useOrganizationId()
  return organizationId === undefined ? (
    <Empty title="Choose an organization">
      This is shown for one organization. Choose it in the navigation, or where the{" "}
      <Link to="/" className={linkLook}>
        start
      </Link>{" "}
      says that something is wrong.
    </Empty>
  ) : (
    children(organizationId)
  )
}
